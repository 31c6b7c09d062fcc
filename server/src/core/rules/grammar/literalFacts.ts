import { reachable } from '../../grammar/analyse/names';
import { expressions, owners } from '../../grammar/analyse/walk';
import type { RegexpLiteral, StringLiteral } from '../../grammar/ast';
import { decodeEscapes } from '../../grammar/load/literals';
import type { RegexResult } from '../../grammar/regex/tree';
import type { GrammarContext } from './grammarRule';
import { grammarNamesOf } from './names';

/** A regular expression of the grammar, as both dialects read it. */
export interface RegexFact {
  readonly node: RegexpLiteral;
  /** The definition or `%ignore` that it stands in can be reached from `start`, or the skip uses it. */
  readonly reached: boolean;
  readonly rust: RegexResult;
  readonly python: RegexResult;
  /** Where the body of the literal starts in the text. */
  readonly offset: number;
}

/** A string of the grammar. */
export interface StringFact {
  readonly node: StringLiteral;
  readonly reached: boolean;
}

/** All literals of a grammar. Ranges give their two strings. */
export function literals(context: GrammarContext): { regexes: readonly RegexFact[]; strings: readonly StringFact[] } {
  const regexes: RegexFact[] = [];
  const strings: StringFact[] = [];
  const reached = reachable(context.memo(grammarNamesOf));
  for (const owner of owners(context.document.items)) {
    const here = owner.kind === 'ignore' || reached.has(owner.name.text);
    for (const node of expressions(owner.body)) {
      if (node.kind === 'string') strings.push({ node, reached: here });
      if (node.kind !== 'regexp') continue;
      const body = context.slice(node.bodySpan);
      const flags = new Set(node.flags.replaceAll('l', ''));
      const decoded = decodeEscapes(body.replaceAll('\\/', '/'));
      const rust = context.memory.regex('rust', body, flags);
      const python = context.memory.regex('python', decoded.error === undefined ? decoded.text : body, flags);
      regexes.push({ node, reached: here, rust, python, offset: node.bodySpan.start });
    }
  }
  return { regexes, strings };
}
