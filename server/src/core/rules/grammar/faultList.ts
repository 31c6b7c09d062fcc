import type { Target } from '../../profiles/targets';
import type { Fix, RelatedPlace } from '../../text/finding';
import type { Message } from '../../text/message';
import type { Span } from '../../text/span';
import type { TargetLevels } from './grammarRule';

/** A cause for which an engine refuses a grammar, or would if it read that far. */
export interface Fault {
  readonly id: string;
  readonly span: Span;
  readonly message: Message;
  readonly levels: TargetLevels;
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
}

/** A fault without what it may lack. */
export type FaultDraft = Pick<Fault, 'id' | 'span' | 'message' | 'levels'> & Partial<Fault>;

/** Puts what both engines say about one place together: one fault has one finding. */
export class FaultList {
  readonly #faults = new Map<string, Fault>();

  add(draft: FaultDraft | undefined): void {
    if (draft === undefined) return;
    const key = `${draft.id} ${draft.span.start}`;
    const before = this.#faults.get(key);
    const related = draft.related ?? [];
    const fixes = draft.fixes ?? [];
    if (before === undefined) {
      this.#faults.set(key, { ...draft, related, fixes });
      return;
    }
    this.#faults.set(key, {
      ...before,
      levels: higher(before.levels, draft.levels),
      related: before.related.length > 0 ? before.related : related,
      fixes: before.fixes.length > 0 ? before.fixes : fixes,
    });
  }

  /** Whether a fault with an error for the provider's engine lies at a place, or anywhere. */
  refused(at?: Span): boolean {
    for (const { levels, span } of this.#faults.values()) {
      if (levels.llguidance === 'error' && (at === undefined || (span.start <= at.end && at.start <= span.end)))
        return true;
    }
    return false;
  }

  has(id: string): boolean {
    return this.all().some((fault) => fault.id === id);
  }

  all(): readonly Fault[] {
    return [...this.#faults.values()];
  }
}

const ORDER = ['hint', 'info', 'warning', 'error'];

function higher(a: TargetLevels, b: TargetLevels): TargetLevels {
  const levels: Partial<Record<Target, 'hint' | 'info' | 'warning' | 'error'>> = { ...a };
  for (const [target, level] of Object.entries(b) as [Target, 'hint' | 'info' | 'warning' | 'error'][]) {
    const known = levels[target];
    if (known === undefined || ORDER.indexOf(level) > ORDER.indexOf(known)) levels[target] = level;
  }
  return levels;
}
