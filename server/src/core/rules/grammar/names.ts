import { type GrammarNames, grammarNames } from '../../grammar/analyse/names';
import type { GrammarContext } from './grammarRule';

/** The names of the grammar, made once. */
export function grammarNamesOf(context: GrammarContext): GrammarNames {
  return grammarNames(context.document);
}
