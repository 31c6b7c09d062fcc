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
  set({ set, report }) {
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
      const words = wordsOf(tool.description);
      if (words.length === 0) continue;
      const folded = words.join(' ');
      const earlier = whole.get(folded);
      if (earlier !== undefined) say(tool, earlier, true);
      else {
        whole.set(folded, tool);
        if (words.length >= MIN_WORDS) distinct.push({ tool, runs: runsOf(words) });
      }
    }
    for (const [tool, earlier] of nearPairs(distinct)) say(tool, earlier, false);
  },
};

interface Described {
  readonly tool: ToolDefinition;
  /** Its three-word runs, each once. */
  readonly runs: readonly string[];
}

/** The words of a text without case, punctuation and spacing. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function runsOf(words: readonly string[]): string[] {
  const runs = new Set<string>();
  for (let i = 0; i + 2 < words.length; i++) runs.add(`${words[i]} ${words[i + 1]} ${words[i + 2]}`);
  return [...runs];
}

/**
 * Each description that is nearly equal to an earlier one, with the first such.
 *
 * Two sets whose Jaccard value reaches a limit share at least one of their rarest runs, if enough of these are looked at
 * (prefix filtering). So only the rarest runs of each description stand in the index, and few pairs are compared.
 */
function nearPairs(described: readonly Described[]): [ToolDefinition, ToolDefinition][] {
  const frequency = new Map<string, number>();
  for (const { runs } of described) for (const run of runs) frequency.set(run, (frequency.get(run) ?? 0) + 1);
  const index = new Map<string, number[]>();
  const sets: ReadonlySet<string>[] = [];
  const pairs: [ToolDefinition, ToolDefinition][] = [];
  described.forEach(({ tool, runs }, position) => {
    const set = new Set(runs);
    sets.push(set);
    // A run that stands nowhere else can be shared with nobody.
    const prefix = prefixOf(runs, frequency).filter((run) => frequency.get(run)! > 1);
    const candidates = new Set<number>();
    for (const run of prefix) {
      for (const other of index.get(run) ?? []) {
        if (candidates.size >= MAX_CANDIDATES) break;
        candidates.add(other);
      }
    }
    const near = [...candidates].sort((a, b) => a - b).find((other) => jaccard(set, sets[other]!) >= SIMILARITY);
    if (near !== undefined) pairs.push([tool, described[near]!.tool]);
    for (const run of prefix) {
      const list = index.get(run);
      if (list === undefined) index.set(run, [position]);
      else if (list.length < MAX_CANDIDATES) list.push(position);
    }
  });
  return pairs;
}

/** The rarest runs, as many as a set of this size must be looked up by. */
function prefixOf(runs: readonly string[], frequency: ReadonlyMap<string, number>): string[] {
  const length = runs.length - Math.ceil(SIMILARITY * runs.length) + 1;
  const byRarity = (a: string, b: string): number => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1);
  return [...runs].sort(byRarity).slice(0, length);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const run of a) if (b.has(run)) common++;
  return common / (a.size + b.size - common);
}
