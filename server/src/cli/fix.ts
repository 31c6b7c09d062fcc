import type { CheckResult } from '../core/check';
import { applyEdits, joinEdits } from '../core/text/edits';
import { atLeast, type Finding, type Fix, type TextEdit } from '../core/text/finding';
import type { JsonDocument } from '../core/text/json';
import { render } from '../core/text/message';
import type { Span } from '../core/text/span';

/** What became of a text. */
export interface FixOutcome {
  readonly text: string;
  /** The check of `text`. */
  readonly result: CheckResult;
  /** Titles of the fixes that were applied, with how often. */
  readonly applied: ReadonlyMap<string, number>;
}

/** A fix may make the next one possible, so rounds go on until nothing changes, but not for ever. */
const MAX_ROUNDS = 200;

/**
 * Applies the fixes that keep the meaning, round by round, until none is left. Whatever they do not replace stays as it
 * is, byte by byte. A fix after which the text is broken JSON, or has an error it did not have, is taken back.
 */
export function fixText(text: string, check: (text: string) => CheckResult): FixOutcome {
  let current: State = { text, result: check(text) };
  const applied = new Map<string, number>();
  const rejected = new Set<string>();
  if (isBroken(current.result.document)) return { ...current, applied };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const candidates = safeFixes(current.result.findings).filter((candidate) => !rejected.has(candidate.key));
    const next = step(current, candidates, check, rejected);
    if (next === undefined) break;
    for (const { title } of next.taken) applied.set(title, (applied.get(title) ?? 0) + 1);
    current = next.state;
  }
  return { ...current, applied };
}

interface State {
  readonly text: string;
  readonly result: CheckResult;
}

interface Candidate {
  /** Names the fix in all rounds, so that one that was taken back is not tried again. */
  readonly key: string;
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** The preferred safe fix of each finding, else its first safe one. */
function safeFixes(findings: readonly Finding[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { rule, pointer, fixes } of findings) {
    const safe = fixes.filter((each) => each.safe);
    const fix: Fix | undefined = safe.find((each) => each.preferred) ?? safe[0];
    if (fix === undefined) continue;
    const edits = fix.edits();
    const title = render(fix.title);
    if (edits.length > 0) candidates.push({ key: JSON.stringify([rule, pointer, title]), title, edits });
  }
  return candidates;
}

/** One round: all candidates that do not touch one another, or the first one that does no harm alone. */
function step(
  before: State,
  candidates: readonly Candidate[],
  check: (text: string) => CheckResult,
  rejected: Set<string>,
): { state: State; taken: readonly Candidate[] } | undefined {
  const together = compatible(candidates);
  const state = attempt(before, together, check);
  if (state !== undefined) return { state, taken: together };
  for (const candidate of candidates) {
    const alone = attempt(before, [candidate], check);
    if (alone !== undefined) return { state: alone, taken: [candidate] };
    rejected.add(candidate.key);
  }
  return undefined;
}

function attempt(before: State, fixes: readonly Candidate[], check: (text: string) => CheckResult): State | undefined {
  const text = applyEdits(before.text, joinEdits(...fixes.map(({ edits }) => edits)));
  if (text === before.text) return undefined;
  const result = check(text);
  return isBroken(result.document) || hasNewErrors(before.result, result) ? undefined : { text, result };
}

/** As many fixes as fit beside each other; the rest waits for the next round. Neighbors that touch count as overlapping. */
function compatible(candidates: readonly Candidate[]): Candidate[] {
  const taken: Candidate[] = [];
  const spans = new SpanSet();
  for (const candidate of candidates) {
    if (candidate.edits.some(({ span }) => spans.touches(span))) continue;
    taken.push(candidate);
    for (const { span } of candidate.edits) spans.add(span);
  }
  return taken;
}

/** Spans in text order. Those of one fix may touch each other but not overlap, so their ends are in order too. */
class SpanSet {
  readonly #spans: Span[] = [];

  touches(span: Span): boolean {
    const next = this.#spans[this.#find((other) => other.end >= span.start)];
    return next !== undefined && next.start <= span.end;
  }

  add(span: Span): void {
    const after = (other: Span): boolean =>
      other.start > span.start || (other.start === span.start && other.end > span.end);
    this.#spans.splice(this.#find(after), 0, span);
  }

  /** The index of the first span for which the condition holds; it must hold for all behind that one. */
  #find(condition: (other: Span) => boolean): number {
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (condition(this.#spans[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Whether the text is neither JSON nor JSON with comments. */
function isBroken(document: JsonDocument): boolean {
  return document.problems.some(({ code }) => code !== 'comment' && code !== 'trailing-comma');
}

function hasNewErrors(before: CheckResult, after: CheckResult): boolean {
  const known = errorsByRule(before.findings);
  for (const [rule, count] of errorsByRule(after.findings)) if (count > (known.get(rule) ?? 0)) return true;
  return false;
}

function errorsByRule(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule, level } of findings) {
    if (atLeast(level, 'error')) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return counts;
}
