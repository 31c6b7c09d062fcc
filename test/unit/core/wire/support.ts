import { parseJson } from '../../../../server/src/core/text/json';
import { render } from '../../../../server/src/core/text/message';
import type { ToolSet } from '../../../../server/src/core/tools/model';
import { readTools } from '../../../../server/src/core/tools/read';
import type { WireMode, WireOptions } from '../../../../server/src/core/wire/options';
import { createWire, type WireText } from '../../../../server/src/core/wire/wire';

/** The tools of a value, read as a file `shop.tools.json`. */
export function toolSet(value: unknown): ToolSet {
  return readTools(parseJson(typeof value === 'string' ? value : JSON.stringify(value)), { baseName: 'shop' });
}

/** The parsed list in a mode. */
export function list(value: unknown, mode: WireMode, options: Omit<WireOptions, 'mode'> = {}): unknown {
  return JSON.parse(createWire(toolSet(value), { ...options, mode }).set().text);
}

/** What a view says, kind and sentence. */
export function notes(text: WireText): string[] {
  return text.notes.map((note) => `${note.kind}: ${render(note.message)}`);
}

/** A schema with one string property. */
export const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

/** A function in the form of Responses, and what Codex sends for it. */
export function fn(name: string, more: object = {}): Record<string, unknown> {
  return { type: 'function', name, description: `Does ${name}.`, parameters: SCHEMA, ...more };
}

export function sent(name: string, more: object = {}): Record<string, unknown> {
  return { type: 'function', name, description: `Does ${name}.`, strict: false, parameters: SCHEMA, ...more };
}
