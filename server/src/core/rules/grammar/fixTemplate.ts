import { expressions, owners } from '../../grammar/analyse/walk';
import type { Definition, TemplateUse } from '../../grammar/ast';
import type { Fix, TextEdit } from '../../text/finding';
import { t } from '../../text/message';
import type { Span } from '../../text/span';
import { fix, wholeLines } from './fixes';
import type { GrammarContext } from './grammarRule';
import { grammarNamesOf } from './names';

/** Rules that one expansion may make. */
const MOST_INSTANCES = 50;

/**
 * The fix that writes the instances of all templates out as rules of their own and removes the templates. There is none
 * where an instance makes instances without end, or a template is used with a wrong number of arguments.
 */
export function templateFixes(context: GrammarContext, _span: Span): Fix[] {
  const edits = context.memo(expansion);
  return edits === undefined ? [] : [fix(t('Write the templates out as rules'), edits)];
}

function expansion(context: GrammarContext): readonly TextEdit[] | undefined {
  const { document, text } = context;
  const templates = new Map<string, Definition>();
  for (const item of document.items) {
    if (item.kind !== 'definition') continue;
    if (item.parameters !== undefined && (item.broken || item.directive !== undefined || item.name.terminal))
      return undefined;
    if (item.parameters !== undefined) templates.set(item.name.text, item);
  }
  if (templates.size === 0 || templates.has('start')) return undefined;
  const { uses } = context.memo(grammarNamesOf);
  if (uses.some(({ name, node }) => templates.has(name) && node.kind === 'reference')) return undefined;
  const users = new Set(uses.flatMap(({ owner, node }) => (node.kind === 'template' ? [owner] : [])));
  const taken = new Set(document.items.flatMap((item) => (item.kind === 'definition' ? [item.name.text] : [])));
  const names = new Map<string, string>();
  const made: { name: string; template: Definition; values: readonly string[] }[] = [];
  /** The text of a part with its uses of templates and parameters replaced. */
  const write = (body: Span, uses: readonly Replacement[]): string | undefined => {
    let out = '';
    let at = body.start;
    for (const { span, newText } of uses) {
      if (newText === undefined) return undefined;
      out += text.slice(at, span.start) + newText;
      at = span.end;
    }
    return out + text.slice(at, body.end);
  };
  const instance = (use: TemplateUse, values: ReadonlyMap<string, string>): string | undefined => {
    const name = values.get(use.name.text) ?? use.name.text;
    const template = templates.get(name);
    if (template?.parameters?.length !== use.arguments.length) return undefined;
    const given: string[] = [];
    for (const argument of use.arguments) {
      const value = argumentText(argument, values);
      if (value === undefined) return undefined;
      given.push(value);
    }
    const key = `${name}{${given.join(', ')}}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    if (names.size >= MOST_INSTANCES) return undefined;
    const own = freeName([name, ...given.map(wordOf)].filter((word) => word !== '').join('_'), taken);
    taken.add(own);
    names.set(key, own);
    made.push({ name: own, template, values: given });
    return own;
  };
  const argumentText = (
    argument: TemplateUse['arguments'][number],
    values: ReadonlyMap<string, string>,
  ): string | undefined => {
    if (argument.kind === 'template') return instance(argument, values);
    if (argument.kind === 'reference') return values.get(argument.name.text) ?? argument.name.text;
    return text.slice(argument.span.start, argument.span.end);
  };
  const replacements = (
    definition: { body: Definition['body'] },
    values: ReadonlyMap<string, string>,
  ): Replacement[] => {
    const found: Replacement[] = [];
    let end = 0;
    for (const node of expressions(definition.body)) {
      if (node.span.start < end) continue;
      if (node.kind === 'template') found.push({ span: node.span, newText: instance(node, values) });
      else if (node.kind === 'reference' && values.has(node.name.text))
        found.push({ span: node.span, newText: values.get(node.name.text) });
      else continue;
      end = node.span.end;
    }
    return found;
  };
  const edits: TextEdit[] = [];
  for (const owner of owners(document.items)) {
    if (!users.has(owner) || (owner.kind === 'definition' && owner.parameters !== undefined)) continue;
    if (owner.kind === 'ignore' || owner.name.terminal) return undefined;
    for (const { span, newText } of replacements(owner, new Map())) {
      if (newText === undefined) return undefined;
      edits.push({ span, newText });
    }
  }
  const written = new Map<Definition, string[]>();
  for (let i = 0; i < made.length; i++) {
    const { name, template, values } = made[i]!;
    const bound = new Map(template.parameters!.map((parameter, n) => [parameter.text, values[n]!] as const));
    const body = write(template.body.span, replacements(template, bound));
    if (body === undefined) return undefined;
    const lines = written.get(template) ?? [];
    lines.push(`${template.modifiers}${name}:${body.startsWith(' ') ? '' : ' '}${body}\n`);
    written.set(template, lines);
  }
  for (const template of templates.values()) {
    edits.push({ span: wholeLines(text, template.span), newText: (written.get(template) ?? []).join('') });
  }
  return edits;
}

interface Replacement {
  readonly span: Span;
  readonly newText: string | undefined;
}

/** A literal or a name as a part of a rule's name. */
function wordOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 20);
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${wanted}_${i}`;
  return name;
}
