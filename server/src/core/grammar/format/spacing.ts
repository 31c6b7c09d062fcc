import type { Piece } from './pieces';

/** Brackets of every kind that a piece stands in, and what it is for. */
export interface Place {
  /** Round and square brackets around the piece. An opening bracket itself stands outside. */
  readonly depth: number;
  /** White space in front of the piece when it follows another one on its line. */
  readonly gap: '' | ' ';
}

const WORDS: ReadonlySet<Piece['kind']> = new Set(['rule', 'terminal', 'number']);

/** What a bracket or a brace is for. */
type Bracket = 'group' | 'attributes' | 'arguments' | 'count';

/**
 * Where the pieces of one item stand, and which of them have a space in front. Nothing here puts two tokens together
 * that would read as one, or takes apart what only reads as one together.
 */
export function placesOf(text: string, pieces: readonly Piece[]): Place[] {
  const places: Place[] = [];
  const brackets: Bracket[] = [];
  let body = !pieces.some(({ kind }) => kind === 'colon');
  let depth = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    const { kind } = piece;
    const before = pieces[i - 1];
    const after = pieces[i + 1];
    if (kind === 'rightParen' || kind === 'rightBracket' || kind === 'rightBrace') {
      const closed = brackets.pop();
      if (closed === 'group') depth--;
    }
    const space = before !== undefined && spaced(text, pieces, i, body, brackets.at(-1));
    places.push({ depth, gap: space ? ' ' : '' });
    if (kind === 'colon' && brackets.length === 0) body = true;
    if (kind === 'leftParen' || (kind === 'leftBracket' && body)) {
      brackets.push('group');
      depth++;
    } else if (kind === 'leftBracket') brackets.push('attributes');
    else if (kind === 'leftBrace') {
      const count = after?.kind === 'number' || after?.kind === 'comma' || after?.kind === 'rightBrace';
      brackets.push(count ? 'count' : 'arguments');
    }
  }
  return places;
}

function spaced(
  text: string,
  pieces: readonly Piece[],
  index: number,
  body: boolean,
  inside: Bracket | undefined,
): boolean {
  const piece = pieces[index]!;
  const before = pieces[index - 1]!;
  switch (before.kind) {
    case 'leftParen':
    case 'leftBracket':
    case 'leftBrace':
    case 'modifiers':
    case 'equals':
    case 'tilde':
      return false;
    case 'dot':
      return spacedDot(piece, before, inside);
    case 'dotDot':
      return spacedRange(text, pieces, index - 1);
    case 'comma':
      if (inside === 'count') return false;
      break;
    case 'directive':
      return true;
    case 'rule':
    case 'terminal':
    case 'number':
      // Names and numbers without blanks between are several tokens for one engine and a mistake for another.
      if (piece.start === before.end && WORDS.has(piece.kind)) return false;
  }
  switch (piece.kind) {
    case 'rightParen':
    case 'rightBracket':
    case 'rightBrace':
    case 'comma':
    case 'colon':
    case 'equals':
    case 'operator':
      return false;
    case 'leftBrace':
      return before.kind === 'nested';
    case 'dot':
      return spacedDot(piece, before, inside);
    case 'leftBracket':
      return body;
    case 'dotDot':
      return spacedRange(text, pieces, index);
    case 'parameter':
      return piece.start > before.end;
    case 'tilde':
      return pieces[index + 1]?.kind !== 'number';
    default:
      return true;
  }
}

/** A number with decimals, the value of an attribute, is three tokens without blanks. */
function spacedDot(piece: Piece, before: Piece, inside: Bracket | undefined): boolean {
  return inside === 'attributes' && piece.start > before.end;
}

/** Engines before llguidance 1.9 read a range of counts only with a blank behind the first number. */
function spacedRange(text: string, pieces: readonly Piece[], dots: number): boolean {
  const first = pieces[dots - 1]!;
  return first.kind === 'number' && /[ \t]/.test(text.slice(first.end, pieces[dots]!.start));
}
