import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import type { Definition } from '../ast';
import { type FilePlace, isValidName, type Occurrence, type Role, sameName } from '../resolve';
import type { GrammarLinks } from '../resolveFiles';

const WRITES: ReadonlySet<Role> = new Set<Role>(['definition', 'override', 'extend', 'declare', 'import', 'parameter']);

/** A place of the name under the cursor: where it gets its meaning, or where that is used. */
export interface Highlight {
  readonly span: Span;
  readonly write: boolean;
}

/** All places in the text that mean the same as the name at an offset, in text order. */
export function highlights(links: GrammarLinks, file: string, offset: number): Highlight[] {
  const names = links.names(file);
  const occurrence = links.at(file, offset);
  if (names === undefined || occurrence === undefined) return [];
  return sameName(names, occurrence).map(({ name, role }) => ({ span: name.span, write: WRITES.has(role) }));
}

/** Places of the name at an offset, without those that define it unless asked for. */
export function references(links: GrammarLinks, file: string, offset: number, declarations: boolean): FilePlace[] {
  const found = links.references(file, offset);
  if (declarations) return found;
  return found.filter(({ file: where, span }) => {
    const role = links.at(where, span.start)?.role;
    return role === undefined || !WRITES.has(role);
  });
}

/** What can be renamed at an offset. */
export function renamable(links: GrammarLinks, file: string, offset: number): { span: Span; name: string } | undefined {
  const occurrence = links.at(file, offset);
  if (occurrence === undefined || occurrence.role === 'module' || occurrence.name.text === '') return undefined;
  // The name in one of Lark's own grammars is not ours to change.
  if (occurrence.role === 'imported' && occurrence.item?.relative === false) return undefined;
  return { span: occurrence.name.span, name: occurrence.name.text };
}

/** Why the name at an offset cannot become another one; `undefined` if it can. */
export function renameProblem(links: GrammarLinks, file: string, offset: number, newName: string): Message | undefined {
  const occurrence = links.at(file, offset);
  if (occurrence === undefined || renamable(links, file, offset) === undefined) {
    return t('Rules, terminals, parameters and names of tree nodes can be renamed; this is none of them.');
  }
  if (!isValidName(newName, occurrence.name.terminal)) {
    return occurrence.name.terminal
      ? t('{0} is not a name of a terminal: those have upper case letters, digits and underscores.', newName)
      : t('{0} is not a name of a rule: those have lower case letters, digits and underscores.', newName);
  }
  if (links.rename(file, offset, newName) !== undefined) return undefined;
  return t('There is a {0} already where {1} is used.', newName, occurrence.name.text);
}

/** A rule, template or terminal as a caller or as what is called. */
export interface CallItem {
  readonly file: string;
  readonly name: string;
  readonly terminal: boolean;
  readonly span: Span;
  readonly nameSpan: Span;
}

/** A definition that uses another one, with the places where it does. */
export interface Call {
  readonly item: CallItem;
  /** Places of the names, in the file of the definition that uses the other. */
  readonly places: readonly Span[];
}

/** The definitions that the name at an offset stands for. */
export function callItems(links: GrammarLinks, file: string, offset: number): CallItem[] {
  const occurrence = links.at(file, offset);
  if (occurrence === undefined || occurrence.template !== undefined) return [];
  return links.definitions(file, offset).flatMap((place) => itemAt(links, place) ?? []);
}

/** Definitions that use this one, in the order of files and places. */
export function callers(links: GrammarLinks, item: CallItem): Call[] {
  const found = new Map<Definition, { item: CallItem; places: Span[] }>();
  for (const { file, span } of references(links, item.file, item.nameSpan.start, false)) {
    const container = links.at(file, span.start)?.container;
    if (container === undefined) continue;
    const known = found.get(container);
    if (known === undefined) found.set(container, { item: itemOf(file, container), places: [span] });
    else known.places.push(span);
  }
  return [...found.values()];
}

/** Definitions that this one uses, in the order of their first use. */
export function called(links: GrammarLinks, item: CallItem): Call[] {
  const names = links.names(item.file);
  const found = new Map<string, { item: CallItem; places: Span[] }>();
  for (const { role, name, container, template } of names?.occurrences ?? []) {
    if (role !== 'reference' || template !== undefined || container?.name.span.start !== item.nameSpan.start) continue;
    const place = links.definitions(item.file, name.span.start)[0];
    const target = place && itemAt(links, place);
    if (target === undefined) continue;
    const key = `${target.file} ${target.nameSpan.start}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { item: target, places: [name.span] });
    else known.places.push(name.span);
  }
  return [...found.values()];
}

function itemAt(links: GrammarLinks, { file, span }: FilePlace): CallItem | undefined {
  const occurrence = links.at(file, span.start);
  if (occurrence === undefined) return undefined;
  return occurrence.container === undefined ? namedOnly(file, occurrence) : itemOf(file, occurrence.container);
}

function itemOf(file: string, { name, span }: Definition): CallItem {
  return { file, name: name.text, terminal: name.terminal, span, nameSpan: name.span };
}

/** What is declared or imported from a file that cannot be read. */
function namedOnly(file: string, { name, item, role }: Occurrence): CallItem | undefined {
  if (role !== 'declare' && role !== 'import') return undefined;
  return { file, name: name.text, terminal: name.terminal, span: item?.span ?? name.span, nameSpan: name.span };
}

/** How often each definition of a grammar is used, in this text and in others that import it. */
export function referenceCounts(
  links: GrammarLinks,
  file: string,
): { name: string; nameSpan: Span; places: FilePlace[] }[] {
  const document = links.files.document(file);
  return (document?.items ?? []).flatMap((item) =>
    item.kind === 'definition' && item.name.text !== ''
      ? [
          {
            name: item.name.text,
            nameSpan: item.name.span,
            places: references(links, file, item.name.span.start, false),
          },
        ]
      : [],
  );
}
