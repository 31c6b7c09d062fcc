import type { Level } from '../text/finding';
import type { JsonNode } from '../text/json';
import { pointerOf } from '../text/jsonTree';
import { LineIndex } from '../text/lines';
import type { Message } from '../text/message';
import type { CallFinding } from './report';

/** Line and column, from 1, of an offset. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const { line, character } = new LineIndex(text).position(offset);
  return { line: line + 1, column: character + 1 };
}

/** A finding about a character of a payload. */
export function findingAtOffset(
  rule: string,
  level: Level,
  message: Message,
  text: string,
  offset: number,
): CallFinding {
  return { rule, level, message, pointer: undefined, offset, ...placeOf(text, offset) };
}

/** A finding about a value within the arguments; `text` is that of the whole arguments. */
export function findingAtNode(rule: string, level: Level, message: Message, text: string, node: JsonNode): CallFinding {
  const offset = node.property?.keyStart ?? node.offset;
  return { rule, level, message, pointer: pointerOf(node), offset, ...placeOf(text, offset) };
}
