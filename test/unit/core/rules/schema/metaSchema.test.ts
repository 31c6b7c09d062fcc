import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { INFORMING, KEYWORD_VALUES } from '../../../../../server/src/core/schema/keywords';
import { check } from '../helper';
import { mcp } from './tools';

const VALUES = [
  'null',
  'true',
  'false',
  '0',
  '5',
  '-1',
  '1.5',
  '"x"',
  '"string"',
  '[]',
  '["string"]',
  '["string","string"]',
  '[1]',
  '[null]',
  '[{}]',
  '{}',
  '{"a":null}',
  '{"a":{}}',
  '{"a":["b"]}',
  '{"a":["b","b"]}',
];

/** Keywords whose value is one schema, which `schema/not-a-schema` judges. */
const SCHEMA_KEYWORDS = ['additionalProperties', 'not', 'if', 'contains', 'propertyNames', 'items'];
/** The rules that together say what the meta-schemas say. */
const RULES = ['schema/invalid-keyword-value', 'schema/not-a-schema', 'schema/unknown-type', 'schema/tuple-items'];

const ajvs = [new Ajv({ strict: false, logger: false }), new Ajv2020({ strict: false, logger: false })];

describe('the meta-schemas of draft 7 and 2020-12 agree', () => {
  const keywords = [...KEYWORD_VALUES.keys(), ...SCHEMA_KEYWORDS].filter((key) => key !== '$schema');
  test.each(keywords)('%s', (keyword) => {
    for (const value of VALUES) {
      const text = `{"${keyword}":${value}}`;
      const valid = ajvs.map((ajv) => ajv.validateSchema(JSON.parse(text)) === true);
      const levels = check(mcp(text), { targets: ['mcp', 'openai'] })
        .findings.filter(({ rule }) => RULES.includes(rule))
        .map(({ level }) => level);
      // What is an error is invalid in one of them; what is invalid in both is told.
      if (levels.includes('error')) expect(valid, text).toContain(false);
      if (!valid.includes(true)) expect(levels, text).not.toEqual([]);
      if (INFORMING.has(keyword)) expect(levels, text).not.toContain('error');
    }
  });
});
