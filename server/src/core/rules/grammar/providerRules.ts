import type { ProviderOpinion } from '../../grammar/providerOpinion';
import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { faultsById } from './faults';
import { ENGINE_ERROR, forEngine, type GrammarContext, type GrammarRule } from './grammarRule';

/** Why the provider's engine refuses a grammar where no other rule says it: in our words, or else in its own. */
export const providerRefuses: GrammarRule = {
  id: 'grammar/provider-refuses',
  section: 'grammar',
  summary: "The provider's engine refuses the grammar",
  levels: ENGINE_ERROR,
  check(context) {
    // The engine never gets a grammar from which others import.
    if (context.library) return;
    for (const fault of context.memo(faultsById).get('grammar/provider-refuses') ?? []) context.report(fault);
    const { provider } = context;
    if (provider === undefined || context.explained) return;
    if (provider.state === 'taken') {
      if (provider.failure !== undefined && !context.useless) failing(context, provider.failure);
    } else if (provider.state === 'refused') {
      const [span = placeOf(context), ...others] = provider.culprits;
      context.report({
        span,
        message: t("The provider's engine refuses the grammar, so the API refuses the tool: {0}", wordsOf(provider)),
        related: others.map((other) => ({ span: other, message: t('The refusal needs this part, too.') })),
      });
    } else if (provider.state === 'gave-up') {
      const { end } = provider;
      const span = placeOf(context);
      if (end.state === 'timed-out') {
        const message = t(
          "The provider's engine did not load the grammar within {0} ms, so there is no verdict. Fewer and smaller repetitions make it lighter.",
          end.milliseconds,
        );
        context.report({ span, message, levels: forEngine('warning') });
      } else context.report({ span, message: brokeMessage(end.cause, end.detail) });
    }
  },
};

/** The grammar loads, and then the engine gives up on the first byte. */
function failing(
  context: GrammarContext,
  { error, always, culprits }: NonNullable<Extract<ProviderOpinion, { readonly state: 'taken' }>['failure']>,
): void {
  const [span = placeOf(context), ...others] = culprits;
  const words = withStop(firstLine(error));
  context.report({
    span,
    message: always
      ? t("The provider's engine loads the grammar and gives up as soon as text is generated: {0}", words)
      : t("The provider's engine loads the grammar and gives up on some texts at their first character: {0}", words),
    levels: always ? ENGINE_ERROR : forEngine('warning'),
    related: others.map((other) => ({ span: other, message: t('The failure needs this part, too.') })),
  });
}

/** What the provider's engine remarks about a grammar that it takes. */
export const providerWarns: GrammarRule = {
  id: 'grammar/provider-warns',
  section: 'grammar',
  summary: "The provider's engine takes the grammar with a remark",
  levels: forEngine('warning'),
  check(context) {
    const { provider } = context;
    if (provider?.state !== 'taken') return;
    for (const warning of provider.warnings) {
      context.report({
        span: placeOfWarning(context, warning),
        message: t("The provider's engine accepts the grammar and remarks: {0}", withStop(warning)),
      });
    }
  },
};

/** Rules that speak for the provider's engine. They come last, because they are silent where others have spoken. */
export const PROVIDER_RULES: readonly GrammarRule[] = [providerRefuses, providerWarns];

function brokeMessage(cause: 'panic' | 'memory' | 'stack' | 'worker', detail: string): Message {
  switch (cause) {
    case 'memory':
      return t("The grammar is too large for the provider's engine: its memory runs out while it loads.");
    case 'stack':
      return t("The grammar is nested or chained too deeply for the provider's engine, which breaks while it loads.");
    default:
      return t("The provider's engine breaks while it loads the grammar: {0}", withStop(firstLine(detail)));
  }
}

function wordsOf({ refusal }: Extract<ProviderOpinion, { readonly state: 'refused' }>): string {
  return withStop(refusal.message);
}

const firstLine = (text: string): string => text.split('\n', 1)[0]!;

const withStop = (text: string): string => (/[.!?…]\s*$/.test(text) ? text.trimEnd() : `${text.trimEnd()}.`);

/** The culprit by our own reading of the dialect; else the name of the first rule, else everything. */
function placeOf({ engine, document, text }: GrammarContext): Span {
  const known = engine.refusals[0]?.span;
  if (known !== undefined) return known;
  const definitions = document.items.flatMap((item) => (item.kind === 'definition' ? [item.name] : []));
  const name = definitions.find(({ text: each }) => each === 'start') ?? definitions[0];
  return name?.span ?? { start: 0, end: text.length };
}

/** Remarks are about JSON Schemas and name their keys. */
function placeOfWarning(context: GrammarContext, warning: string): Span {
  const { text } = context;
  const schemas = [...text.matchAll(/%json/g)].map(({ index }) => index);
  const names = [...warning.matchAll(/"([^"\n]+)"/g)].map(([, name]) => `"${name}"`);
  for (const name of names) {
    const at = schemas.length === 0 ? -1 : text.indexOf(name, schemas[0]);
    if (at >= 0) return { start: at, end: at + name.length };
  }
  const key = schemas.length === 0 ? null : /"oneOf"/.exec(text.slice(schemas[0]));
  if (key !== null && /oneOf/.test(warning)) {
    const start = schemas[0]! + key.index;
    return { start, end: start + key[0].length };
  }
  return schemas[0] === undefined ? placeOf(context) : { start: schemas[0], end: schemas[0] + '%json'.length };
}
