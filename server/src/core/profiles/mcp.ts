/** The dialect of schemas without `$schema` (Model Context Protocol 2025-11-25 and later). */
export const MCP_DEFAULT_DRAFT = 2020;

/** The last revision in which the root of `outputSchema` must have the type `object`. */
export const MCP_LAST_OBJECT_OUTPUT = '2025-11-25';
