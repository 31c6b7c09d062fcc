import { type Message, t } from '../../text/message';
import type { DialectMark, GrammarDocument } from '../ast';
import { type GrammarProblem, problem } from '../problems';

/**
 * What keeps reference Lark 1.3.1 from reading a text, in the order of the places where it stops; it reports the first.
 * Besides what no dialect reads these are the constructs that only llguidance has.
 */
export function syntaxProblems(document: GrammarDocument): GrammarProblem[] {
  const foreign = document.marks.filter((mark) => mark.only === 'llguidance');
  const problems = foreign.map((mark) => {
    const code = mark.kind === 'brace-repeat' ? 'syntax.unexpected-colon' : 'syntax.dialect';
    return problem(code, mark.span, foreignMessage(mark), { at: mark.at });
  });
  return [...document.problems, ...problems].sort((a, b) => a.at! - b.at!);
}

function foreignMessage(mark: DialectMark): Message {
  switch (mark.kind) {
    case 'dash-name':
      return t('Names have no dash in Lark; an underscore does.');
    case 'brace-repeat':
      return t('Lark writes a count as ~2 or ~2..5; only llguidance reads braces.');
    case 'attributes':
      return t('Attributes like [lazy] are only read by llguidance.');
    case 'parameter':
      return t('Parameters behind :: are only read by llguidance.');
    case 'condition':
      return t('%if is only read by llguidance.');
    case 'intersection':
      return t('The operator & is only read by llguidance.');
    case 'negation':
      return t('A ~ in front of an item is only read by llguidance.');
    case 'json':
      return t('%json is only read by llguidance.');
    case 'structured-regex':
      return t('%regex is only read by llguidance.');
    case 'nested-grammar':
      return t('%lark is only read by llguidance.');
    case 'special-token':
      return t('Tokens in angle brackets are only read by llguidance.');
    case 'grammar-name':
      return t('References with @ are only read by llguidance.');
    default:
      return t('%llguidance is only read by llguidance.');
  }
}
