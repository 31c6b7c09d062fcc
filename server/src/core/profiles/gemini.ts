/**
 * Fields of `Schema`, the type of a function's `parameters`: a part of OpenAPI 3.0. Any other name is refused
 * ("Unknown name … Cannot find field"). Gemini API reference, `Schema`, 2026.
 */
export const GEMINI_SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'propertyOrdering',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'anyOf',
  'default',
  'example',
]);

/**
 * Keywords of `parametersJsonSchema`, the other way to declare parameters. The reference lists them at
 * `responseJsonSchema`, which takes the same form (Gemini API reference, `GenerationConfig`, 2026).
 */
export const GEMINI_JSON_SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  '$id',
  '$defs',
  '$ref',
  '$anchor',
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'oneOf',
  'properties',
  'additionalProperties',
  'required',
  'propertyOrdering',
]);

/** How the name of a function must start (Gemini API reference, `FunctionDeclaration.name`, 2026). */
export const GEMINI_NAME_START = /^[A-Za-z_]/;
