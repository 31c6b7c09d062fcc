import type { Level } from '../text/finding';
import type { JsonNode } from '../text/json';
import { pointerOf } from '../text/jsonTree';
import { LineIndex } from '../text/lines';
import type { Message } from '../text/message';
import type { CallFinding } from './report';

/** Makes findings about one payload; its lines are counted once. */
export class FindingPlaces {
  #lines: LineIndex | undefined;

  constructor(readonly text: string) {}

  /** Line and column of an offset, from 1. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    this.#lines ??= new LineIndex(this.text);
    const { line, character } = this.#lines.position(offset);
    return { line: line + 1, column: character + 1 };
  }

  /** A finding about a character. */
  atOffset(rule: string, level: Level, message: Message, offset: number): CallFinding {
    return { rule, level, message, pointer: undefined, offset, ...this.placeOf(offset) };
  }

  /** A finding about a value of the JSON text; also says where that value, or the key that holds it, begins. */
  atNode(rule: string, level: Level, message: Message, node: JsonNode): CallFinding {
    const offset = node.property?.keyStart ?? node.offset;
    return { rule, level, message, pointer: pointerOf(node), offset, ...this.placeOf(offset) };
  }
}

/** A finding about a place of a stored or live result. */
export function atResult(rule: string, level: Level, message: Message, pointer: string): CallFinding {
  const place = { offset: undefined, line: undefined, column: undefined };
  return { rule, level, message, pointer: `/result${pointer}`, ...place };
}
