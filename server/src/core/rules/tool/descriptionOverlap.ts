import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import type { Rule } from '../rule';

/** Share of common three-word runs from which two descriptions count as nearly equal. */
const SIMILARITY = 0.8;
/** Shorter descriptions are compared as a whole only. */
const MIN_WORDS = 8;
/** So many earlier descriptions are compared in full with one description at most. */
const MAX_CANDIDATES = 64;

/** A description that says the same as that of another tool, so that the model cannot tell them apart by it. */
export const descriptionOverlap: Rule = {
  id: 'tool/description-overlap',
  section: 'file',
  summary: 'Two tools have the same description, or nearly the same',
  levels: { all: 'warning' },
  set({ set, recall, report }) {
    const whole = new Map<string, ToolDefinition>();
    const distinct: Described[] = [];
    const say = (tool: ToolDefinition, earlier: ToolDefinition, equal: boolean): void => {
      // Of two tools of one name `tool/duplicate-name` says enough.
      if (tool.name === earlier.name) return;
      const name = earlier.name ?? '';
      report({
        node: tool.descriptionNode!,
        message: equal
          ? t('The description says the same as that of "{0}", so the model cannot tell the two apart by it.', name)
          : t(
              'The description says nearly the same as that of "{0}". Say what this tool does that the other does not.',
              name,
            ),
        related: [{ span: nodeSpan(earlier.descriptionNode!), message: t('The other description is here.') }],
      });
    };
    for (const tool of set.tools) {
      if (tool.description === undefined || tool.shape === 'bfcl') continue;
      const digest = recall(digestOf, tool.description);
      if (digest.folded === '') continue;
      const earlier = whole.get(digest.folded);
      if (earlier !== undefined) say(tool, earlier, true);
      else {
        whole.set(digest.folded, tool);
        if (digest.runs.length > 0) distinct.push({ tool, digest });
      }
    }
    for (const [tool, earlier] of nearPairs(distinct)) say(tool, earlier, false);
  },
};

interface Described {
  readonly tool: ToolDefinition;
  readonly digest: Digest;
}

/** What is compared of a description. */
interface Digest {
  /** Its words without case, punctuation and spacing. */
  readonly folded: string;
  /** Hashes of its three-word runs, each once, in rising order; none for a short text. */
  readonly runs: readonly number[];
}

function digestOf(text: string): Digest {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const runs = new Set<number>();
  if (words.length >= MIN_WORDS) {
    for (let i = 0; i + 2 < words.length; i++) runs.add(hash(`${words[i]} ${words[i + 1]} ${words[i + 2]}`));
  }
  return { folded: words.join(' '), runs: [...runs].sort((a, b) => a - b) };
}

/** FNV-1a over UTF-16 units, 32 bits, with a last mixing step so that the order of hashes says nothing about texts. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/**
 * Each description that is nearly equal to an earlier one, with the first such.
 *
 * Of two sets whose Jaccard value reaches a limit, the smallest elements have one in common, if enough of them are looked
 * at (prefix filtering). So only the smallest hashes of each description stand in the index, and few pairs are compared.
 */
function nearPairs(described: readonly Described[]): [ToolDefinition, ToolDefinition][] {
  const index = new Map<number, number[]>();
  const pairs: [ToolDefinition, ToolDefinition][] = [];
  described.forEach(({ tool, digest: { runs } }, position) => {
    const prefix = runs.slice(0, runs.length - Math.ceil(SIMILARITY * runs.length) + 1);
    const near = candidatesOf(prefix, index).find(
      (other) => jaccard(runs, described[other]!.digest.runs) >= SIMILARITY,
    );
    if (near !== undefined) pairs.push([tool, described[near]!.tool]);
    for (const run of prefix) {
      const list = index.get(run);
      if (list === undefined) index.set(run, [position]);
      else if (list.length < MAX_CANDIDATES) list.push(position);
    }
  });
  return pairs;
}

/** Earlier descriptions that share a run, those that share a rare one first taken, in their order. */
function candidatesOf(prefix: readonly number[], index: ReadonlyMap<number, readonly number[]>): number[] {
  const lists = prefix.map((run) => index.get(run)).filter((list) => list !== undefined);
  if (lists.length === 0) return [];
  const candidates = new Set<number>();
  for (const list of lists.sort((a, b) => a.length - b.length)) {
    for (const other of list) if (candidates.size < MAX_CANDIDATES) candidates.add(other);
  }
  return [...candidates].sort((a, b) => a - b);
}

/** Common elements by all elements of two sorted lists. */
function jaccard(a: readonly number[], b: readonly number[]): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common++;
      i++;
      j++;
    } else if (a[i]! < b[j]!) i++;
    else j++;
  }
  return common / (a.length + b.length - common);
}
