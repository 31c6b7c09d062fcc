import { editsOverlap, joinEdits } from '../text/edits';
import type { Finding, Fix, TextEdit } from '../text/finding';
import { type JsonDocument, syntaxFault } from '../text/json';
import { type Message, render } from '../text/message';
import { PieceText } from '../text/pieces';

/** What fixing needs of a check. */
export interface Checked {
  /** Problems of the syntax of JSON; none where the text is something else. */
  readonly document: Pick<JsonDocument, 'problems'>;
  readonly findings: readonly Finding[];
}

/** What became of a text. */
export interface FixOutcome<C extends Checked> {
  readonly text: string;
  /** The check of `text`. */
  readonly result: C;
  /** The difference, as edits of the text that was given. */
  readonly edits: readonly TextEdit[];
  /** What was applied, in order. */
  readonly applied: readonly { readonly rule: string; readonly title: Message }[];
}

/** One fix may make the next one possible, so rounds go on until nothing changes, but not for ever. */
const MAX_ROUNDS = 50;

/** Fixes that keep the meaning do not blow a text up: characters that they may add to the size of the original. */
const MAX_GROWTH = 1_000_000;

interface Candidate {
  /** Names the fix in all rounds, so that one that was taken back is not tried again. */
  readonly key: string;
  readonly rule: string;
  readonly title: Message;
  readonly edits: readonly TextEdit[];
}

/**
 * Applies the fixes that keep the meaning, round by round, until none is left. Whatever they do not replace stays as it
 * is, byte by byte. A fix after which the text is broken JSON, or has an error it did not have, is taken back.
 */
export function fixText<C extends Checked>(text: string, check: (text: string) => C): FixOutcome<C> {
  const pieces = new PieceText(text);
  let current: { readonly text: string; readonly result: C } = { text, result: check(text) };
  const applied: { rule: string; title: Message }[] = [];
  const rejected = new Set<string>();
  const attempt = (fixes: readonly Candidate[]): boolean => {
    const edits = joinEdits(...fixes.map((fix) => fix.edits));
    const trial = new PieceText(current.text);
    trial.apply(edits);
    const next = trial.text;
    if (next === current.text || next.length > text.length * 2 + MAX_GROWTH) return false;
    const result = check(next);
    if (syntaxFault(result.document) !== undefined || hasNewErrors(current.result.findings, result.findings))
      return false;
    pieces.apply(edits);
    current = { text: next, result };
    applied.push(...fixes.map(({ rule, title }) => ({ rule, title })));
    return true;
  };
  for (let round = 0; round < MAX_ROUNDS && syntaxFault(current.result.document) === undefined; round++) {
    const candidates = safeFixes(current.result.findings).filter(({ key }) => !rejected.has(key));
    if (candidates.length === 0) break;
    if (attempt(apart(candidates))) continue;
    // Together they do harm, so each is tried alone until one does none.
    const harmless = candidates.some((candidate) => attempt([candidate]) || !rejected.add(candidate.key));
    if (!harmless) break;
  }
  return { ...current, edits: pieces.edits(), applied };
}

/** The preferred safe fix of a finding, else its first safe one. */
export function safeFix({ fixes }: Finding): Fix | undefined {
  return fixes.find((fix) => fix.safe && fix.preferred) ?? fixes.find((fix) => fix.safe);
}

function safeFixes(findings: readonly Finding[]): Candidate[] {
  return findings.flatMap((finding) => {
    const fix = safeFix(finding);
    const edits = fix?.edits() ?? [];
    if (fix === undefined || edits.length === 0) return [];
    const key = JSON.stringify([finding.rule, finding.pointer, render(fix.title)]);
    return [{ key, rule: finding.rule, title: fix.title, edits }];
  });
}

/** As many as fit beside each other, in order; the rest waits for the next round. */
function apart(candidates: readonly Candidate[]): Candidate[] {
  const taken: Candidate[] = [];
  let edits: TextEdit[] = [];
  for (const candidate of candidates) {
    if (editsOverlap(edits, candidate.edits)) continue;
    taken.push(candidate);
    edits = joinEdits(edits, candidate.edits);
  }
  return taken;
}

function hasNewErrors(before: readonly Finding[], after: readonly Finding[]): boolean {
  const known = errorsByRule(before);
  return [...errorsByRule(after)].some(([rule, count]) => count > (known.get(rule) ?? 0));
}

function errorsByRule(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule, level } of findings) if (level === 'error') counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
