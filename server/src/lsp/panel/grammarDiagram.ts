import type { Name } from '../../core/grammar/ast';
import { type RailroadRule, railroadOf } from '../../core/grammar/railroad';
import { railroadSvg } from '../../core/grammar/railroad/svg';
import { GrammarLinks } from '../../core/grammar/resolveFiles';
import { callers, referenceCounts, references } from '../../core/grammar/service/navigation';
import { ruleLink } from '../../core/rules/links';
import { type Message, t } from '../../core/text/message';
import type { PanelAnswer, PanelDefinition, PanelDiagram } from '../../panelProtocol';
import type { GrammarText, World } from '../grammars';
import { say } from '../language';
import type { PanelGrammar } from './grammarSource';
import { placeIn } from './place';

/** Findings about a rule that stand below its diagram. */
const MOST_FINDINGS = 4;

/** Diagrams are broken into lines at this width, in pixels. */
const WIDTH = 720;

/** The definitions of a grammar and what it imports, with how often each is used, in text order. */
export function definitionsOf(source: GrammarText, world: World): PanelDefinition[] {
  const links = new GrammarLinks(world);
  const counts = new Map(
    referenceCounts(links, source.id).map(({ nameSpan, places }) => [nameSpan.start, places.length]),
  );
  const found: PanelDefinition[] = [];
  const seen = new Set<string>();
  const add = (name: string, kind: PanelDefinition['kind'], count: number): void => {
    if (name === '' || seen.has(name)) return;
    seen.add(name);
    found.push({ name, kind, uses: count > 0 ? `${count}×` : say(name === 'start' ? t('entry') : t('not used')) });
  };
  for (const { kind, name, nameSpan } of railroadOf(source.document)) {
    if (kind !== 'ignore') add(name, kind, counts.get(nameSpan.start) ?? 0);
  }
  for (const { text, terminal, span } of importedNames(source)) {
    const uses = references(links, source.id, span.start, false).filter(({ file }) => file === source.id);
    add(text, terminal ? 'terminal' : 'rule', uses.length);
  }
  return found;
}

/** Names that the text imports, as it calls them. */
function importedNames({ document }: GrammarText): Name[] {
  return document.items.flatMap((item) => {
    if (item.kind !== 'import') return [];
    return item.names ?? item.alias ?? item.path.at(-1) ?? [];
  });
}

interface Found {
  readonly rule: RailroadRule;
  readonly source: GrammarText;
}

/** The definition behind a name: in the text itself, or where an import leads. */
function findRule(source: GrammarText, world: World, wanted: string | undefined): Found | undefined {
  const rules = railroadOf(source.document).filter(({ kind, name }) => kind !== 'ignore' && name !== '');
  const own = rules.find(({ name }) => name === wanted);
  if (own !== undefined) return { rule: own, source };
  const imported = importedNames(source).find(({ text }) => text === wanted);
  for (const { file, span } of imported === undefined
    ? []
    : new GrammarLinks(world).definitions(source.id, imported.span.start)) {
    const other = world.text(file);
    const rule = other && railroadOf(other.document).find(({ nameSpan }) => nameSpan.start === span.start);
    if (other !== undefined && rule !== undefined) return { rule, source: other };
  }
  const first = rules.find(({ name }) => name === 'start') ?? rules[0];
  return first === undefined ? undefined : { rule: first, source };
}

/** The diagram of a definition: the one that is asked for, else where sentences start, else the first. */
export function diagramOf(
  { source, findings }: PanelGrammar & { readonly source: GrammarText },
  world: World,
  wanted: string | undefined,
): PanelDiagram | null {
  const found = findRule(source, world, wanted);
  if (found === undefined) return null;
  const { rule } = found;
  const { kind } = rule;
  if (kind === 'ignore') return null;
  const isOwn = found.source === source;
  const known = new Set([
    ...railroadOf(source.document).map(({ name }) => name),
    ...importedNames(source).map(({ text }) => text),
  ]);
  const svg = railroadSvg(rule, {
    width: WIDTH,
    heading: false,
    standalone: false,
    styled: false,
    link: ({ name }) => (isOwn && known.has(name) ? `#${name}` : undefined),
  });
  const { start, end } = found.source.span(rule.span);
  return {
    // What is imported is called as the text in front calls it.
    name: isOwn ? rule.name : (wanted ?? rule.name),
    kind,
    svg,
    place: placeIn(found.source.uri, found.source.lines, found.source.span(rule.nameSpan)),
    source: rule.source,
    usedBy: isOwn ? usersOf(rule, source, world) : [],
    findings: !isOwn
      ? []
      : findings
          .filter(({ span, level }) => level !== 'hint' && start <= span.start && span.end <= end)
          .slice(0, MOST_FINDINGS)
          .map(({ rule: id, level, message }) => answerOf(id, level, message)),
  };
}

/** Names of the definitions that use a rule. */
function usersOf({ kind, name, span, nameSpan }: RailroadRule, { id }: GrammarText, world: World): string[] {
  const item = { file: id, name, terminal: kind === 'terminal', span, nameSpan };
  const users = callers(new GrammarLinks(world), item).flatMap(({ item: user }) =>
    user.file === id && user.name !== name ? [user.name] : [],
  );
  return [...new Set(users)];
}

function answerOf(rule: string, level: string, message: Message): PanelAnswer {
  const icon = level === 'error' ? 'error' : level === 'warning' ? 'warning' : 'info';
  return { icon, title: say(message), link: { label: rule, action: { kind: 'rule', rule, href: ruleLink(rule) } } };
}
