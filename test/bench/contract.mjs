// Verdicts on calls: how long one takes for a tool with 50 properties, against the millisecond that it may take and
// against what a client without places and words would do.
import { createRequire } from 'node:module';
import { medians, report } from './measure.mjs';

const CALLS = 400;

/** @param {number} index */
function property(index) {
  const kinds = [
    { type: 'string', minLength: 1, maxLength: 40 },
    { type: 'integer', minimum: 0, maximum: 1000 },
    { type: 'string', enum: ['open', 'closed', 'draft'] },
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { key: { type: 'string' }, value: { type: ['string', 'null'] } },
        required: ['key'],
      },
    },
    {
      anyOf: [
        { type: 'object', properties: { kind: { const: 'a' }, n: { type: 'number' } }, required: ['kind'] },
        { type: 'null' },
      ],
    },
  ];
  return kinds[index % kinds.length];
}

/** @param {number} index @param {boolean} fine */
function value(index, fine) {
  const values = [`text ${index}`, index, 'open', [{ key: 'k', value: null }, { key: 'l' }], { kind: 'a', n: 1.5 }];
  return fine ? values[index % values.length] : values[(index + 1) % values.length];
}

/** @param {any} core */
export async function measureContract(core) {
  const require = createRequire(import.meta.url);
  const names = Array.from({ length: 50 }, (_, index) => `property_${index}`);
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name, index) => [name, property(index)])),
    required: names.slice(0, 10),
    additionalProperties: false,
  };
  const text = JSON.stringify([{ name: 't', description: 'd', inputSchema }]);
  const [tool] = core.readTools(core.parseJson(text), { baseName: 'bench' }).tools;
  // Every second call has faults, so that words and places are made as well.
  const calls = Array.from({ length: CALLS }, (_, call) =>
    JSON.stringify(
      Object.fromEntries(names.map((name, index) => [name, value(index, call % 2 === 0 || index % 10 !== call % 10)])),
    ),
  );
  const { Ajv2020 } = require('ajv/dist/2020.js');
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(inputSchema);
  let rejected = 0;
  const [ours, plain] = await medians(
    9,
    async () => {
      rejected = 0;
      for (const call of calls) {
        const { verdict } = await core.judgeContract({ tool, kind: 'function', text: call });
        if (verdict === 'rejected') rejected++;
      }
    },
    () => calls.map((call) => validate(JSON.parse(call))),
  );
  if (rejected !== CALLS / 2) throw new Error(`${rejected} calls are rejected instead of half of ${CALLS}`);
  const each = ours / CALLS;
  const rate = Math.round(1000 / each).toLocaleString('en-US');
  report('contract verdict on 50 properties / 1 ms', each, 1, `${rate} verdicts a second, half of them with faults`);
  report('contract verdict / JSON.parse + Ajv', ours / plain, 60, `two schemas, places and words against one schema`);
}
