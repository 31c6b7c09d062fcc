import type { JsonNode } from '../text/json';
import { parseJson } from '../text/json';
import type { Message } from '../text/message';
import { t } from '../text/message';
import { didYouMean, list } from '../text/words';
import type { Form } from './validateForms';
import { isInteger } from './validateNumbers';
import { either, foundText, quoted, typesText, valueText } from './validateWords';

/** What kind of fault a value has. `stringified`: a string holds the JSON text of the wanted object or array. */
export type FaultKind = 'type' | 'stringified' | 'enum' | 'required' | 'unknown-property' | 'constraint';

/** One fault of a value. */
export interface SchemaFault {
  readonly kind: FaultKind;
  /** The innermost value that is wrong. */
  readonly node: JsonNode;
  readonly message: Message;
  /** The schema that says so, and by which keyword. */
  readonly form: Form;
  readonly keyword: string;
  /** Types or values that would do, so that arms of a union can be told in one sentence. */
  readonly types?: readonly string[];
  readonly values?: readonly JsonNode[];
  /** The name of the property that is missing. */
  readonly missing?: string;
}

/** Whether a value is of a type. */
export function isOfType(node: JsonNode, type: string): boolean {
  if (type === 'integer') return node.kind === 'number' && isInteger(node.text);
  if (type === 'number') return node.kind === 'number' && Number.isFinite(Number(node.text));
  return node.kind === type;
}

/** The value is of none of the types. Most are arms of a union that another one beats, so words are made on demand. */
export function typeFault(form: Form, node: JsonNode, types: readonly string[], keyword = 'type'): SchemaFault {
  const inner = node.kind === 'string' ? innerValue(node.text) : undefined;
  const stringified = inner !== undefined && types.includes(inner);
  return {
    kind: stringified ? 'stringified' : 'type',
    node,
    form,
    keyword,
    types,
    get message() {
      return stringified ? stringifiedMessage(types, inner) : typeMessage(node, types);
    },
  };
}

function stringifiedMessage(types: readonly string[], inner: 'object' | 'array'): Message {
  const expected = typesText(types);
  return inner === 'object'
    ? t(
        'Expected {0}, found a string that holds the JSON text of an object. Send the object itself, without quotes and escapes.',
        expected,
      )
    : t(
        'Expected {0}, found a string that holds the JSON text of an array. Send the array itself, without quotes and escapes.',
        expected,
      );
}

function typeMessage(node: JsonNode, types: readonly string[]): Message {
  const expected = typesText(types);
  const found = foundText(node);
  const kind = node.kind === 'string' ? scalarIn(node.text, types) : undefined;
  return kind === undefined
    ? t('Expected {0}, found {1}.', expected, found)
    : t('Expected {0}, found {1}. The text within the quotes would be {2}.', expected, found, typesText([kind]));
}

/** What a text is the JSON text of, if that is an object or an array. */
function innerValue(text: string): 'object' | 'array' | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const { root, problems } = parseJson(text);
  if (problems.length > 0 || (root?.kind !== 'object' && root?.kind !== 'array')) return undefined;
  return root.kind;
}

/** The wanted type that the text of a string would have without its quotes. */
function scalarIn(text: string, types: readonly string[]): string | undefined {
  if (types.includes('boolean') && /^(?:true|false)$/i.test(text)) return 'boolean';
  if (types.includes('integer') && /^-?\d+$/.test(text)) return 'integer';
  if (types.includes('number') && /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) return 'number';
  return types.includes('null') && /^(?:null|none)$/i.test(text) ? 'null' : undefined;
}

/** The value is none of those listed. */
export function enumFault(form: Form, node: JsonNode, values: readonly JsonNode[], keyword = 'enum'): SchemaFault {
  const expected = either(values.map(valueText));
  const strings = values.flatMap(({ string }) => string ?? []);
  const near = node.string === undefined ? undefined : nearest(node.string, strings);
  const message =
    values.length === 0
      ? t('No value is allowed here, and {0} stands here.', foundText(node))
      : near !== undefined
        ? t('Expected {0}, found {1}. Did you mean {2}?', expected, foundText(node), quoted(near))
        : t('Expected {0}, found {1}.', expected, foundText(node));
  return { kind: 'enum', node, form, keyword, values, message };
}

/** An object lacks a property. It may lack thousands, so words are made on demand. */
export function requiredFault(form: Form, node: JsonNode, name: string, keyword = 'required'): SchemaFault {
  return {
    kind: 'required',
    node,
    form,
    keyword,
    missing: name,
    get message() {
      return missingMessage(form, node, name);
    },
  };
}

function missingMessage({ properties }: Form, node: JsonNode, name: string): Message {
  const names = node.properties.flatMap(({ key }) => (properties?.has(key) === true ? [] : key));
  const near = nearest(name, names);
  return near === undefined
    ? t('The required property {0} is missing.', quoted(name))
    : t('The required property {0} is missing. Is {1} meant for it?', quoted(name), quoted(near));
}

/** An object has a property that nothing declares. `value` is its value. */
export function unknownFault(
  form: Form,
  value: JsonNode,
  declared: () => readonly string[],
  keyword: string,
): SchemaFault {
  return {
    kind: 'unknown-property',
    node: value,
    form,
    keyword,
    get message() {
      return unknownMessage(value, declared());
    },
  };
}

function unknownMessage(value: JsonNode, declared: readonly string[]): Message {
  const name = value.property?.key ?? '';
  const owner = value.parent;
  const free = declared.filter((each) => owner?.has(each) !== true);
  const near = nearest(name, free) ?? (free.length === 1 ? free[0] : undefined);
  if (near !== undefined) {
    return t(
      'The schema does not know the property {0}, and takes no others than its own. Did you mean {1}?',
      quoted(name),
      quoted(near),
    );
  }
  if (declared.length === 0)
    return t('The schema does not know the property {0}: it takes an object without properties.', quoted(name));
  return t('The schema does not know the property {0}. It takes {1}.', quoted(name), list(declared.map(quoted), 12));
}

/** A shorter word is near to everything. */
const SHORTEST = 3;

/** So many candidates are looked at. */
const MOST_CANDIDATES = 2_000;

/** The candidate that a word is most likely a slip of: near by letters, or the same without case and separators. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const first = candidates.slice(0, MOST_CANDIDATES);
  const plain = bare(word);
  return (
    first.find((each) => each !== word && bare(each) === plain) ??
    (word.length < SHORTEST ? undefined : didYouMean(word, first))
  );
}

/** A bound, pattern or the like that a value breaks. */
export function constraintFault(form: Form, node: JsonNode, keyword: string, message: Message): SchemaFault {
  return { kind: 'constraint', node, form, keyword, message };
}
