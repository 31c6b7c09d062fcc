import { describe, expect, test } from 'vitest';
import {
  recursions,
  referenceCycles,
  referenceForm,
  referencesOf,
} from '../../../../server/src/core/schema/references';
import { parseJson } from '../../../../server/src/core/text/json';
import { pointerOf } from '../../../../server/src/core/text/jsonTree';

const read = (schema: unknown) => {
  const root = parseJson(typeof schema === 'string' ? schema : JSON.stringify(schema)).root!;
  return referencesOf(root);
};

/** What the one reference of a schema names. */
function target(schema: unknown): string | undefined {
  const { list } = read(schema);
  expect(list).toHaveLength(1);
  const found = list[0]!.target;
  return found === undefined ? undefined : pointerOf(found);
}

test('forms', () => {
  const forms = ['', '#', '#/a', '#%2Fa', '#a', 'Group', './x.json#/a', 'https://a.example/b', 'urn:x:y'].map(
    referenceForm,
  );
  expect(forms).toEqual([
    'root',
    'root',
    'pointer',
    'pointer',
    'anchor',
    'relative',
    'relative',
    'absolute',
    'absolute',
  ]);
});

describe('targets', () => {
  const at = ($ref: string, more: object = {}) => target({ properties: { p: { $ref } }, ...more });

  test('pointers', () => {
    expect(at('#')).toBe('');
    expect(at('#/$defs/a', { $defs: { a: {} } })).toBe('/$defs/a');
    expect(at('#/$defs/a~1b', { $defs: { 'a/b': {} } })).toBe('/$defs/a~1b');
    expect(at('#/$defs/a%20b', { $defs: { 'a b': {} } })).toBe('/$defs/a b');
    expect(at('#%2F$defs%2Fa', { $defs: { a: {} } })).toBe('/$defs/a');
    expect(at('#/properties/p')).toBe('/properties/p');
    expect(at('#/anyOf/1', { anyOf: [{}, {}] })).toBe('/anyOf/1');
    expect(at('#/$defs/a')).toBeUndefined();
    expect(at('#/$defs/a~2', { $defs: { 'a~2': {} } })).toBeUndefined();
    expect(at('#/$defs/%ff', { $defs: { '%ff': {} } })).toBeUndefined();
  });

  test('names', () => {
    expect(at('#here', { $defs: { a: { $anchor: 'here' } } })).toBe('/$defs/a');
    expect(at('#here', { $defs: { a: { $id: '#here' } } })).toBe('/$defs/a');
    expect(at('Group', { $defs: { a: { $id: 'Group' } } })).toBe('/$defs/a');
    expect(at('Group#/items', { $defs: { a: { $id: 'Group', items: {} } } })).toBe('/$defs/a/items');
    expect(at('https://a.example/x', { $id: 'https://a.example/x#' })).toBe('');
    expect(at('y', { $id: 'https://a.example/x', $defs: { y: { $id: 'https://a.example/y' } } })).toBe('/$defs/y');
    expect(at('other.json')).toBeUndefined();
    expect(at('#nowhere')).toBeUndefined();
  });

  test('an embedded schema with its own address is asked first', () => {
    const inner = { $id: 'inner', $defs: { a: {} }, items: { $ref: '#/$defs/a' } };
    expect(target({ $defs: { a: {}, inner } })).toBe('/$defs/inner/$defs/a');
    expect(target({ $defs: { b: {}, inner: { $id: 'inner', items: { $ref: '#/$defs/b' } } } })).toBe('/$defs/b');
  });

  test('data is not searched, and a place that only a reference reaches is', () => {
    const { list } = read({
      default: { $ref: '#/x' },
      enum: [{ $ref: '#/x' }],
      properties: { $ref: { $ref: '#/x-types/a' } },
      'x-types': { a: { items: { $ref: '#' } } },
    });
    expect(list.map(({ text }) => text)).toEqual(['#/x-types/a', '#']);
  });

  test('who refers to what', () => {
    const references = read({ properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }, $defs: { x: {} } });
    const [first, second] = references.list;
    expect(references.to(first!.target!)).toEqual([first, second]);
    expect(references.at(first!.site.node)).toBe(first);
  });
});

describe('cycles', () => {
  const circles = (schema: unknown) =>
    referenceCycles(read(schema)).map((circle) => circle.map(({ node }) => pointerOf(node)));
  const returns = (schema: unknown) => recursions(read(schema)).map(({ schema: to }) => pointerOf(to));

  test('references that only lead to each other', () => {
    expect(circles({ $ref: '#' })).toEqual([['/$ref']]);
    expect(circles({ $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } })).toEqual([
      ['/$defs/a/$ref', '/$defs/b/allOf/0/$ref'],
    ]);
    expect(circles({ $defs: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/a' }] } } })).toEqual([
      ['/$defs/a/anyOf/1/$ref'],
    ]);
  });

  test('recursion through a property is no such cycle', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(circles(tree)).toEqual([]);
    expect(returns(tree)).toEqual(['']);
  });

  test('where recursion returns to', () => {
    const group = {
      properties: {
        filter: { $id: 'Group', anyOf: [{}, { properties: { and: { type: 'array', items: { $ref: 'Group' } } } }] },
      },
    };
    expect(returns(group)).toEqual(['/properties/filter']);
    const pair = {
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
    };
    expect(returns(pair)).toEqual(['/$defs/a']);
    expect(returns({ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } })).toEqual([]);
  });

  test('depth and length', () => {
    const depth = 100_000;
    expect(circles(`${'{"allOf":['.repeat(depth)}{"$ref":"#"}${']}'.repeat(depth)}`)).toHaveLength(1);
    expect(returns(`${'{"items":'.repeat(depth)}{"$ref":"#"}${'}'.repeat(depth)}`)).toEqual(['']);
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${(i + 1) % 20_000}` }]),
    );
    expect(circles({ $defs: chain })[0]).toHaveLength(20_000);
  });
});
