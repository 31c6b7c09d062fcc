import type { PassName } from '../profiles/codex';
import type { CompileResult } from '../schema/compile';
import { type Message, t } from '../text/message';
import { list } from '../text/words';

/** What a tool's schema weighs on its way through Codex. All numbers are bytes of compact JSON. */
export interface ToolSize {
  /** Before the first pass: what is held against the budget. */
  readonly sourceBytes: number;
  /** What is sent. */
  readonly bytes: number;
  readonly budgetBytes: number;
  /** The passes that took something. One that runs and finds nothing to take is left out. */
  readonly passes: readonly PassName[];
  /** The last pass has run and it is still over the budget: Codex sends it as it is. */
  readonly overBudget: boolean;
  /** Codex's own reason when it refuses the schema; the sizes are 0 then. */
  readonly refusal: string | undefined;
}

/** What a compilation weighs. */
export function toolSize(compiled: CompileResult): ToolSize {
  const { sourceBytes, bytes, overBudget, refusal, profile } = compiled;
  const passes = passesThatTook(compiled);
  return { sourceBytes, bytes, budgetBytes: profile.budgetBytes, passes, overBudget, refusal: refusal?.message };
}

/** The passes that made the schema smaller. Codex runs them in order until it fits, whether or not one finds anything. */
export function passesThatTook({ passes, stages }: CompileResult): PassName[] {
  return passes.filter((pass) => {
    const index = stages.findIndex(({ name }) => name === pass);
    return index > 0 && stages[index]!.bytes !== stages[index - 1]!.bytes;
  });
}

/** What a pass takes, as a plural noun. */
export function passTakes(pass: PassName): Message {
  switch (pass) {
    case 'descriptions':
      return t('descriptions');
    case 'definitions':
      return t('definitions');
    case 'depth':
      return t('deep schemas');
    case 'compositions':
      return t('unions');
  }
}

/** What all passes that ran take: `descriptions and definitions go`. */
export function passesGo(passes: readonly PassName[]): Message {
  return t('{0} go', list(passes.map(passTakes)));
}
