/** Keywords that describe and do not restrict (JSON Schema 2020-12, core and meta-data vocabularies). */
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  'id',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Keywords that restrict what is valid, beyond those that Codex keeps (JSON Schema draft 4 to 2020-12). */
const CONSTRAINTS = new Set([
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'prefixItems',
  'additionalItems',
  'maxItems',
  'minItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'unevaluatedItems',
  'unevaluatedProperties',
  'maxProperties',
  'minProperties',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'not',
  'if',
  'then',
  'else',
  '$dynamicRef',
  '$recursiveRef',
]);

/** Whether a keyword only describes: it takes nothing away from what is valid. Unknown keywords count as such. */
export function isAnnotation(key: string): boolean {
  return ANNOTATIONS.has(key) || !CONSTRAINTS.has(key);
}
