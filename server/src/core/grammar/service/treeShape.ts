import type { Alternative, Alternatives, Definition, Expression } from '../ast';

/** Deeper brackets are shown by an ellipsis. */
const MOST_DEPTH = 12;

/**
 * The nodes that a rule makes in Lark's tree, like `pair(key, value?)`: one for each alternative with a name of its
 * own, in text order, without repeats. Strings and terminals with an underscore leave the tree unless the rule has
 * `!`; what an underscore rule holds is spliced in, shown as `…_rule`.
 */
export function treeShapes(text: string, definition: Definition): string[] {
  const keepAll = definition.modifiers.includes('!');
  const found = new Set<string>();
  for (const alternative of definition.body.items) {
    const name = alternative.alias?.text || definition.name.text;
    found.add(`${name}(${sequence(text, alternative, keepAll, 0, ', ') ?? ''})`);
  }
  return [...found];
}

function sequence(
  text: string,
  { items }: Pick<Alternative, 'items'>,
  keepAll: boolean,
  depth: number,
  separator: string,
): string | undefined {
  const parts = items.flatMap((item) => shape(text, item, keepAll, depth) ?? []);
  return parts.length === 0 ? undefined : parts.join(separator);
}

function shape(text: string, item: Expression, keepAll: boolean, depth: number): string | undefined {
  if (depth > MOST_DEPTH) return '…';
  switch (item.kind) {
    case 'reference': {
      const name = item.name.text;
      if (!name.startsWith('_') || (item.name.terminal && keepAll)) return name;
      return item.name.terminal ? undefined : `…${name}`;
    }
    case 'string':
      return keepAll ? item.raw : undefined;
    case 'group':
      return choice(text, item.body, keepAll, depth + 1);
    case 'optional': {
      const inner = choice(text, item.body, keepAll, depth + 1);
      // Without a child to hold there is no place for a placeholder either.
      return inner === undefined ? undefined : `[${inner.replace(/^\((.*)\)$/, '$1')}]`;
    }
    case 'repeat': {
      const inner = shape(text, item.item, keepAll, depth + 1);
      return inner === undefined ? undefined : inner + text.slice(item.operatorSpan.start, item.operatorSpan.end);
    }
    case 'regexp':
    case 'range':
    case 'template':
      return text.slice(item.span.start, item.span.end);
    default:
      return '…';
  }
}

function choice(text: string, { items }: Alternatives, keepAll: boolean, depth: number): string | undefined {
  const ways = items.map((alternative) => sequence(text, alternative, keepAll, depth, ' '));
  const shown = [...new Set(ways.filter((way) => way !== undefined))];
  if (shown.length === 0) return undefined;
  const only = items.length === 1 && items[0]!.items.length === 1;
  if (only) return shown[0]!;
  const simple = shown.length === 1 && /^[A-Za-z_]\w*$/.test(shown[0]!);
  const inner = simple ? shown[0]! : `(${shown.join(' | ')})`;
  return shown.length === new Set(ways).size ? inner : `${inner}?`;
}
