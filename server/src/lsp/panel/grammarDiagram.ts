import { railroadOf } from '../../core/grammar/railroad';
import { railroadSvg } from '../../core/grammar/railroad/svg';
import { GrammarLinks } from '../../core/grammar/resolveFiles';
import { callers, referenceCounts } from '../../core/grammar/service/navigation';
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

/** The definitions of a grammar, with how often each is used, in text order. */
export function definitionsOf(source: GrammarText, world: World): PanelDefinition[] {
  const counts = new Map(
    referenceCounts(new GrammarLinks(world), source.id).map(({ nameSpan, places }) => [nameSpan.start, places.length]),
  );
  const seen = new Set<string>();
  return railroadOf(source.document).flatMap(({ kind, name, nameSpan }): PanelDefinition[] => {
    if (kind === 'ignore' || name === '' || seen.has(name)) return [];
    seen.add(name);
    const count = counts.get(nameSpan.start) ?? 0;
    return [{ name, kind, uses: count > 0 ? `${count}×` : say(name === 'start' ? t('entry') : t('not used')) }];
  });
}

/** The diagram of a definition: the one that is asked for, else where sentences start, else the first. */
export function diagramOf(
  { source, findings }: PanelGrammar & { readonly source: GrammarText },
  world: World,
  wanted: string | undefined,
): PanelDiagram | null {
  const rules = railroadOf(source.document).filter(({ kind, name }) => kind !== 'ignore' && name !== '');
  const rule = rules.find(({ name }) => name === wanted) ?? rules.find(({ name }) => name === 'start') ?? rules[0];
  if (rule === undefined || rule.kind === 'ignore') return null;
  const known = new Set(rules.map(({ name }) => name));
  const svg = railroadSvg(rule, {
    width: WIDTH,
    heading: false,
    standalone: false,
    styled: false,
    link: ({ name }) => (known.has(name) ? `#${name}` : undefined),
  });
  const { start, end } = source.span(rule.span);
  const item = {
    file: source.id,
    name: rule.name,
    terminal: rule.kind === 'terminal',
    span: rule.span,
    nameSpan: rule.nameSpan,
  };
  const users = callers(new GrammarLinks(world), item).flatMap(({ item: user }) =>
    user.file === source.id && user.name !== rule.name ? [user.name] : [],
  );
  return {
    name: rule.name,
    kind: rule.kind,
    svg,
    place: placeIn(source.uri, source.lines, source.span(rule.nameSpan)),
    source: rule.source,
    usedBy: [...new Set(users)],
    findings: findings
      .filter(({ span, level }) => level !== 'hint' && start <= span.start && span.end <= end)
      .slice(0, MOST_FINDINGS)
      .map(({ rule: id, level, message }) => answerOf(id, level, message)),
  };
}

function answerOf(rule: string, level: string, message: Message): PanelAnswer {
  const icon = level === 'error' ? 'error' : level === 'warning' ? 'warning' : 'info';
  return { icon, title: say(message), link: { label: rule, action: { kind: 'rule', rule, href: ruleLink(rule) } } };
}
