/** A function tool of the Responses API with these parameters. */
export function responses(parameters: unknown, more: object = {}): object {
  return { type: 'function', name: 'do_it', description: 'Does it.', parameters, ...more };
}

/** The same with `strict`, around one property called `p`, so that nothing but the property can be wrong. */
export function strictWith(p: unknown, more: object = {}): object {
  const parameters = { type: 'object', properties: { p }, required: ['p'], additionalProperties: false, ...more };
  return responses(parameters, { strict: true });
}

/** A closed object in which every property is required. */
export function closed(properties: Record<string, unknown>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** An MCP tool with this input schema. */
export function mcp(inputSchema: unknown, more: object = {}): object {
  return { name: 'do_it', description: 'Does it.', inputSchema, ...more };
}
