import type { PassName } from '../profiles/codex';
import { type Message, t } from '../text/message';
import { list } from '../text/words';

/** What a tool's schema weighs on its way through Codex. All numbers are bytes of compact JSON. */
export interface ToolSize {
  /** Before the first pass: what is held against the budget. */
  readonly sourceBytes: number;
  /** What is sent. */
  readonly bytes: number;
  readonly budgetBytes: number;
  readonly passes: readonly PassName[];
  /** The last pass has run and it is still over the budget: Codex sends it as it is. */
  readonly overBudget: boolean;
  /** Codex's own reason when it refuses the schema; the sizes are 0 then. */
  readonly refusal: string | undefined;
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
