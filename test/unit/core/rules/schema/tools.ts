/** A function tool of the Responses API with this text as its schema. */
export function responses(parameters: string): string {
  return `{ "type": "function", "name": "t", "description": "Does it.", "parameters": ${parameters} }`;
}

/** A tool of an MCP server with these texts as its schemas. */
export function mcp(inputSchema: string, outputSchema?: string): string {
  const output = outputSchema === undefined ? '' : `, "outputSchema": ${outputSchema}`;
  return `{ "name": "t", "description": "Does it.", "inputSchema": ${inputSchema}${output} }`;
}

/** The schema of an object with these properties. */
export function object(properties: string, more = ''): string {
  return `{ "type": "object", "properties": { ${properties} }${more} }`;
}
