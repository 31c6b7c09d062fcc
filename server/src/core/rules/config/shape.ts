import { CODEX_PROFILES } from '../../profiles/codex';
import { TARGETS } from '../../profiles/targets';
import { LEVELS } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import { effectiveProperties, keySpan, nodeSpan } from '../../text/jsonTree';
import { type Message, t } from '../../text/message';
import { didYouMean, list } from '../../text/words';
import type { Rule } from '../rule';

/** What may stand at a place: gives a fault in words, or the shapes of what is inside. A fault of the key is marked there. */
type Shape = ((node: JsonNode) => Message | Inside | undefined) & { readonly ofKey?: true };

/** Shapes of the values inside a value. */
type Inside = readonly { readonly node: JsonNode; readonly shape: Shape }[];

const string: Shape = (node) => (node.kind === 'string' ? undefined : t('This must be a string.'));
const boolean: Shape = (node) => (node.kind === 'boolean' ? undefined : t('This must be true or false.'));
const wholeNumber: Shape = (node) => {
  const value = node.kind === 'number' ? Number(node.text) : Number.NaN;
  return Number.isSafeInteger(value) && value > 0 ? undefined : t('This must be a whole number above 0.');
};

const oneOf =
  (words: readonly string[]): Shape =>
  (node) => {
    if (node.kind === 'string' && words.includes(node.text)) return undefined;
    const near = node.kind === 'string' ? didYouMean(node.text, words) : undefined;
    return near === undefined
      ? t('This must be one of {0}.', list(words))
      : t('This must be one of {0}. Did you mean "{1}"?', list(words), near);
  };

const arrayOf =
  (shape: Shape, least = 0): Shape =>
  (node) => {
    if (node.kind !== 'array') return t('This must be a list.');
    if (node.items.length < least) return t('This list must not be empty.');
    return node.items.map((item) => ({ node: item, shape }));
  };

const mapOf =
  (shape: Shape): Shape =>
  (node) => {
    if (node.kind !== 'object') return t('This must be an object.');
    return effectiveProperties(node).map((property) => ({ node: property.value!, shape }));
  };

/** An object with these keys, of which `required` must be there. Keys that start with `$` are free for editors. */
const objectOf =
  (shapes: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape =>
  (node) => {
    if (node.kind !== 'object') return t('This must be an object.');
    const missing = required.filter((key) => !node.has(key));
    if (missing.length > 0) return t('{0} is missing here.', list(missing.map((key) => `"${key}"`)));
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

const command = arrayOf(string, 1);
const environment = mapOf(string);
const limits = { timeoutMs: wholeNumber, cwd: string, env: environment };

/** A handler is one of four kinds, told apart by their key. */
const handler: Shape = (node) => {
  if (node.kind !== 'object') return t('This must be an object.');
  if (node.has('builtin')) return objectOf({ builtin: string, ...limits })(node);
  if (node.has('module')) return objectOf({ module: string, export: string, ...limits })(node);
  if (node.has('command')) return objectOf({ command, ...limits })(node);
  if (node.has('mcp'))
    return objectOf({ mcp: objectOf({ command, cwd: string, env: environment }, ['command']), ...limits })(node);
  return t('A handler has one of the keys "builtin", "module", "command" and "mcp".');
};

const source: Shape = (node) => {
  if (node.kind === 'object' && node.has('mcp') === node.has('command')) {
    return t('A source has one of the keys "mcp" and "command".');
  }
  return objectOf(
    { mcp: objectOf({ command, cwd: string, env: environment }, ['command']), command, out: string, ...limits },
    ['out'],
  )(node);
};

const CONFIG = objectOf({
  targets: arrayOf(oneOf([...TARGETS, 'all'])),
  include: arrayOf(string),
  exclude: arrayOf(string),
  rules: mapOf(oneOf(['off', ...LEVELS])),
  budgetBytes: wholeNumber,
  profile: oneOf(CODEX_PROFILES.map((profile) => profile.id)),
  provider: objectOf({ namespaces: boolean, webSearch: boolean }),
  webSearch: oneOf(['disabled', 'cached', 'indexed', 'live']),
  handlers: mapOf(handler),
  sources: arrayOf(source),
});

/** What the config file may hold. A faulty value counts as absent, so it must not go unnoticed. */
export const configShape: Rule = {
  id: 'config/shape',
  section: 'config',
  summary: 'The config file has an unknown key or a value of the wrong kind',
  levels: { all: 'error' },
  file(context) {
    const { root } = context.document;
    if (root === undefined) return;
    const stack: { node: JsonNode; shape: Shape }[] = [{ node: root, shape: CONFIG }];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      const outcome = step.shape(step.node);
      if (outcome === undefined) continue;
      if (isInside(outcome)) {
        stack.push(...outcome);
        continue;
      }
      const { property } = step.node;
      const atKey = step.shape.ofKey === true || step.node.height > 0;
      const span = atKey && property !== undefined ? keySpan(property) : nodeSpan(step.node);
      context.report({ node: step.node, span, message: outcome });
    }
  },
};

function isInside(outcome: Message | Inside): outcome is Inside {
  return Array.isArray(outcome);
}
