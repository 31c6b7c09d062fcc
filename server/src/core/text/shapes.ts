import type { JsonNode } from './json';
import { effectiveProperties, keySpan, nodeSpan } from './jsonTree';
import { type Message, t } from './message';
import type { Span } from './span';
import { didYouMean, list } from './words';

/** What may stand at a place: gives a fault in words, or the shapes of what is inside. A fault of the key is marked there. */
export type Shape = ((node: JsonNode) => Message | Inside | undefined) & { readonly ofKey?: true };

/** Shapes of the values inside a value. */
export type Inside = readonly { readonly node: JsonNode; readonly shape: Shape }[];

/** Whatever is JSON. */
export const any: Shape = () => undefined;

/** A string. */
export const string: Shape = (node) => (node.kind === 'string' ? undefined : t('This must be a string.'));
/** true or false. */
export const boolean: Shape = (node) => (node.kind === 'boolean' ? undefined : t('This must be true or false.'));
/** A whole number above 0. */
export const wholeNumber: Shape = (node) => {
  const value = node.kind === 'number' ? Number(node.text) : Number.NaN;
  return Number.isSafeInteger(value) && value > 0 ? undefined : t('This must be a whole number above 0.');
};

/** One of these words. */
export const oneOf =
  (words: readonly string[]): Shape =>
  (node) => {
    if (node.kind === 'string' && words.includes(node.text)) return undefined;
    const near = node.kind === 'string' ? didYouMean(node.text, words) : undefined;
    return near === undefined
      ? t('This must be one of {0}.', list(words))
      : t('This must be one of {0}. Did you mean "{1}"?', list(words), near);
  };

/** A list of so many items at least. */
export const arrayOf =
  (shape: Shape, least = 0): Shape =>
  (node) => {
    if (node.kind !== 'array') return t('This must be a list.');
    if (node.items.length < least) return t('This list must not be empty.');
    return node.items.map((item) => ({ node: item, shape }));
  };

/** An object with values of one shape. */
export const mapOf =
  (shape: Shape): Shape =>
  (node) => {
    if (node.kind !== 'object') return t('This must be an object.');
    return effectiveProperties(node).map((property) => ({ node: property.value!, shape }));
  };

/** An object with these keys, of which `required` must be there. Keys that start with `$` are free for editors. */
export const objectOf =
  (shapes: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape =>
  (node) => {
    if (node.kind !== 'object') return t('This must be an object.');
    const missing = required.filter((key) => !node.has(key));
    const names = list(missing.map((key) => `"${key}"`));
    if (missing.length > 1) return t('{0} are missing here.', names);
    if (missing.length > 0) return t('{0} is missing here.', names);
    return effectiveProperties(node).flatMap(({ key, value }) => {
      if (key.startsWith('$')) return [];
      const shape = Object.hasOwn(shapes, key) ? shapes[key]! : unknownKey(key, Object.keys(shapes));
      return [{ node: value!, shape }];
    });
  };

function unknownKey(key: string, known: readonly string[]): Shape {
  const near = didYouMean(key, known);
  const fault =
    near === undefined
      ? t('"{0}" is no key here. The keys are {1}.', key, list(known))
      : t('"{0}" is no key here. Did you mean "{1}"?', key, near);
  return Object.assign(() => fault, { ofKey: true } as const);
}

/** A value that is not what its place wants. */
export interface ShapeFault {
  readonly node: JsonNode;
  readonly span: Span;
  readonly message: Message;
}

/** Everything below `root` that differs from its shape, in no particular order. Values inside a faulty one are not looked at. */
export function shapeFaults(root: JsonNode, shape: Shape): ShapeFault[] {
  const faults: ShapeFault[] = [];
  const stack: { node: JsonNode; shape: Shape }[] = [{ node: root, shape }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { node, shape } = step;
    const outcome = shape(node);
    if (outcome === undefined) continue;
    if (isInside(outcome)) {
      stack.push(...outcome);
      continue;
    }
    const { property } = node;
    const atKey = shape.ofKey === true || node.height > 0;
    const span = atKey && property !== undefined ? keySpan(property) : nodeSpan(node);
    faults.push({ node, span, message: outcome });
  }
  return faults;
}

function isInside(outcome: Message | Inside): outcome is Inside {
  return Array.isArray(outcome);
}
