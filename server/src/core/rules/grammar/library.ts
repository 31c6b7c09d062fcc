import type { GrammarDocument } from '../../grammar/ast';

/** Whether a grammar is one for others to import from: it has something to give, and no rule `start` of its own. */
export function isLibrary({ items }: GrammarDocument): boolean {
  return (
    items.some((item) => item.kind === 'definition' || item.kind === 'import') &&
    !items.some((item) => item.kind === 'definition' && item.name.text === 'start')
  );
}
