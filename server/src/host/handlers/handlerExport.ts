import { type Message, t } from '../../core/text/message';
import { rejectionText } from './handlerValue';
import { isLarkModule, larkHandler } from './larkParser';
import type { ModuleRun } from './moduleRun';

/** A rejection that is no error of the program. */
class Rejection extends Error {}

type Namespace = Readonly<Record<string, unknown>>;

/**
 * Finds what takes the calls: the named export; without a name the default export, a parser that Lark.js made, or the
 * only function that is exported. Gives a sentence when there is none.
 */
export function handlerOf(module: Namespace, name: string | undefined): ModuleRun | Message {
  const fallback = module['default'];
  // What a CommonJS module exports stands in its default export.
  const own: Namespace = isNamespace(fallback) ? { ...fallback, ...module } : module;
  if (name !== undefined) {
    const found = own[name];
    if (found === undefined) return noExport(name, own);
    return runOf(found, own) ?? t('The export "{0}" is neither a function nor a parser nor a schema.', name);
  }
  const usual = fallback === undefined ? undefined : runOf(fallback, fallback);
  if (usual !== undefined) return usual;
  if (isLarkModule(own)) return larkHandler(own);
  const usable = Object.keys(own).filter((key) => key !== 'default' && runOf(own[key], own) !== undefined);
  if (usable.length === 1) return runOf(own[usable[0]!], own)!;
  if (usable.length === 0) return t('The module exports no function that could take a call.');
  return t('The module exports several functions ({0}), so "export" must name one of them.', usable.join(', '));
}

function runOf(value: unknown, owner: unknown): ModuleRun | undefined {
  if (isStandardSchema(value)) return schemaRun(value);
  if (isLarkModule(value)) return larkHandler(value);
  if (typeof value === 'function') {
    return { run: (text, call) => Reflect.apply(value, owner, [text, call]) as unknown, refusal: plainRefusal };
  }
  if (isNamespace(value) && typeof value['parse'] === 'function') {
    const { parse } = value;
    return { run: (text, call) => Reflect.apply(parse as () => unknown, value, [text, call]), refusal: plainRefusal };
  }
  return undefined;
}

function plainRefusal(error: unknown): { readonly feedback: string; readonly offset?: number } {
  const offset = typeof error === 'object' && error !== null ? (error as { offset?: unknown }).offset : undefined;
  return { feedback: rejectionText(error), ...(typeof offset === 'number' ? { offset } : {}) };
}

/** A schema of Zod, Valibot, ArkType and others: what they share is version 1 of Standard Schema. */
interface StandardSchema {
  readonly '~standard': {
    validate(value: unknown): StandardResult | Promise<StandardResult>;
  };
}

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
  }[];
}

function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null && typeof Reflect.get(standard, 'validate') === 'function';
}

/** Arguments that are JSON and fit the schema; input of a custom tool goes to the schema as it is. */
function schemaRun(schema: StandardSchema): ModuleRun {
  return {
    async run(text, call) {
      const value: unknown = call.kind === 'function' ? JSON.parse(text) : text;
      const result = await schema['~standard'].validate(value);
      if (result.issues === undefined) return result.value;
      throw new Rejection(
        result.issues
          .map(({ message, path = [] }) => {
            const keys = path.map((each) => String(typeof each === 'object' ? each.key : each));
            return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
          })
          .join('\n'),
      );
    },
    refusal: plainRefusal,
  };
}

function isNamespace(value: unknown): value is Namespace {
  return typeof value === 'object' && value !== null;
}

function noExport(name: string, module: Namespace): Message {
  const names = Object.keys(module).filter((key) => key !== 'default');
  return names.length === 0
    ? t('The module has no export "{0}".', name)
    : t('The module has no export "{0}". It has {1}.', name, names.slice(0, 10).join(', '));
}
