import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';

const root = path.resolve(import.meta.dirname, '../../..');

/** What editors read beside JSON Schema. */
const EDITOR_KEYWORDS = ['markdownDescription', 'defaultSnippets', 'enumDescriptions', 'allowTrailingCommas'];

/** A published schema as it is. */
export function loadSchema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(root, 'schemas', name), 'utf8')) as Record<string, unknown>;
}

/** Compiles a published schema; a keyword that nobody knows is an error. */
export function compileSchema(name: string): ValidateFunction {
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  for (const keyword of EDITOR_KEYWORDS) ajv.addKeyword(keyword);
  return ajv.compile(loadSchema(name));
}
