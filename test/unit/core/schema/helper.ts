import { codexProfile } from '../../../../server/src/core/profiles/codex';
import { type CompileOptions, type CompileResult, compileSchema } from '../../../../server/src/core/schema/compile';
import { type JsonNode, parseJson } from '../../../../server/src/core/text/json';
import { resolvePointer } from '../../../../server/src/core/text/jsonTree';

/** Options of a compilation, with the budget in bytes or the version by its id. */
export interface Options extends Omit<CompileOptions, 'profile'> {
  readonly budget?: number;
  readonly profile?: 'codex-0.171' | 'codex-0.148';
}

/** Compiles a schema given as JSON text or as a value. */
export function compile(schema: unknown, options: Options = {}): CompileResult {
  const { budget, profile = 'codex-0.171', ...rest } = options;
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return compileSchema(parseJson(text).root!, { ...rest, profile: codexProfile(profile, budget)! });
}

/** The text of `parameters`, or the words of the refusal. */
export function sent(schema: unknown, options: Options = {}): string {
  const result = compile(schema, options);
  return result.refusal?.message ?? result.text;
}

/** What becomes of a schema that stands as the property `p` of an object. */
export function property(schema: string, options: Options = {}): string {
  const text = sent(`{"type":"object","properties":{"p":${schema}}}`, options);
  const frame = '{"type":"object","properties":{"p":';
  return text.startsWith(frame) ? text.slice(frame.length, -2) : text;
}

/** The source node at a pointer. */
export function at(result: CompileResult, pointer: string): JsonNode {
  return resolvePointer(result.source, pointer)!;
}

/** The events as short lines: stage, action, member, detail. */
export function history(result: CompileResult, pointer?: string): string[] {
  const events = pointer === undefined ? result.events : result.eventsAt(at(result, pointer));
  return events.map(({ stage, action, property, detail, replaced }) =>
    [stage, action, property?.key, detail === undefined ? undefined : `(${detail})`, replaced ? 'replaced' : undefined]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}
