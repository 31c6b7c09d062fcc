import type { JsonDocument, JsonNode } from '../text/json';
import { arrayOf, type ShapeFault, shapeFaults } from '../text/shapes';
import { readSources, sourceShape } from './handlers';

/** An entry of `sources` whose file an entry before it writes already. */
export interface RepeatedOut {
  /** The value of `out`. */
  readonly node: JsonNode;
  /** That of the first entry with this file. */
  readonly first: JsonNode;
}

/**
 * The sources that write a file of a source before them, in file order. Paths are the same when they are so without
 * the file system: `./a.json` and `x/../a.json` are.
 */
export function repeatedOuts({ root }: JsonDocument): RepeatedOut[] {
  const firsts = new Map<string, JsonNode>();
  return readSources(root?.value('sources')).flatMap(({ out, node }): RepeatedOut[] => {
    const own = node.value('out')!;
    const path = plainPath(out);
    const first = firsts.get(path);
    if (first !== undefined) return [{ node: own, first }];
    firsts.set(path, own);
    return [];
  });
}

/** A path without steps that lead nowhere. */
function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

/** Why an entry of `sources`, or what stands in the place of the list, is no source. */
export interface SourceFault extends ShapeFault {
  /** The file that the entry would write, where it says so. */
  readonly out: string | undefined;
}

/** The entries of `sources` that are none, with all that is wrong with them, in file order. */
export function sourceFaults({ root }: JsonDocument): SourceFault[] {
  const list = root?.value('sources');
  if (list === undefined) return [];
  const read = new Set(readSources(list).map(({ node }) => node));
  const entries = list.kind === 'array' ? list.items.filter((item) => !read.has(item)) : [list];
  const shape = list.kind === 'array' ? sourceShape : arrayOf(sourceShape);
  return entries.flatMap((entry) =>
    shapeFaults(entry, shape)
      .sort((a, b) => a.span.start - b.span.start)
      .map((fault) => ({ ...fault, out: entry.value('out')?.string })),
  );
}
