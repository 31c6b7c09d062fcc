import { passesGo, passesThatTook } from '../../budget/sizes';
import type { PassName } from '../../profiles/codex';
import type { CompileResult } from '../../schema/compile';
import { type Message, sentences, t } from '../../text/message';
import { formatChange } from '../../text/words';
import type { Rule, ToolContext } from '../rule';
import { accepted, passNumber } from './common';

/** The parameters are over the budget, so passes run (Codex 0.171.0, observed). */
export const schemaCompacted: Rule = {
  id: 'codex/schema-compacted',
  section: 'codex',
  summary: 'The parameters are over the byte budget, so passes take parts of them away',
  levels: { codex: 'warning' },
  tool(context) {
    const result = accepted(context);
    if (result === undefined || result.passes.length === 0) return;
    const { sourceBytes, profile } = result;
    const { budgetBytes } = profile;
    const over = sourceBytes - budgetBytes;
    const took = passesThatTook(result);
    // Then the size alone is wrong, and `codex/over-budget` says that.
    if (took.length === 0) return;
    const answer = t('{0} bytes, {1} over the budget of {2}: {3}.', sourceBytes, over, budgetBytes, passesGo(took));
    context.report({
      node: result.source,
      // Lists of problems show the start of a long message only, so the answer comes first.
      message: sentences(answer, wayOut(result, took.at(-1)), ...took.map((pass) => passCost(context, result, pass))),
    });
  },
};

/** What a pass takes, with the change in bytes. */
function passCost(context: ToolContext, result: CompileResult, pass: PassName): Message {
  const index = result.stages.findIndex((stage) => stage.name === pass);
  const change = formatChange(result.stages[index]!.bytes - result.stages[index - 1]!.bytes);
  const taken = result.events.filter(
    (event) => event.stage === pass && (event.action === 'emptied' || event.action === 'description-removed'),
  ).length;
  switch (pass) {
    case 'descriptions':
      return taken === 1
        ? t('Pass 1 takes the only description ({0} bytes).', change)
        : t('Pass 1 takes all {0} descriptions ({1} bytes).', taken, change);
    case 'definitions':
      return taken === 1
        ? t('Pass 2 takes the definitions, and the one schema that refers to them becomes {} ({0} bytes).', change)
        : t('Pass 2 takes the definitions, and {0} schemas that refer to them become {} ({1} bytes).', taken, change);
    case 'depth':
      return t(
        'Pass 3 makes what has structure at depth {0} {}: schemas emptied: {1} ({2} bytes).',
        context.profile.depthLimit,
        taken,
        change,
      );
    case 'compositions':
      return t('Pass 4 makes what has anyOf, oneOf or allOf {}: schemas emptied: {0} ({1} bytes).', taken, change);
  }
}

/** How few bytes would spare the last pass. */
function wayOut(result: CompileResult, last: PassName | undefined): Message | undefined {
  if (last === undefined) return undefined;
  const index = result.stages.findIndex((stage) => stage.name === last);
  const missing = result.stages[index - 1]!.bytes - result.profile.budgetBytes;
  return missing === 1
    ? t('1 byte less would save what pass {0} takes.', passNumber(last)!)
    : t('{0} bytes less would save what pass {1} takes.', missing, passNumber(last)!);
}
