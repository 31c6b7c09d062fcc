import { expect, test } from 'vitest';
import { propertiesOf, schemasAt } from '../../../../server/src/core/calls/argumentSchema';
import { parseJson } from '../../../../server/src/core/text/json';

const names = (schema: object): string[] =>
  propertiesOf(schemasAt(parseJson(JSON.stringify(schema)).root!, [], undefined)).map(({ name }) => name);

test('an alternative that leads back to its own choice hides none of the others', () => {
  const a = { type: 'object', properties: { a: {} } };
  const b = { type: 'object', properties: { b: {} } };
  expect(names({ anyOf: [{ $ref: '#' }, a, b] })).toEqual(['a', 'b']);
  expect(names({ anyOf: [a, { $ref: '#' }, b] })).toEqual(['a', 'b']);
});
