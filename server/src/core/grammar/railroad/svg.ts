import type { RailroadName, RailroadNode, RailroadRule } from '../railroad';
import { type Box, bypass, choice, frame, HALF, loop, row, straight } from './boxes';
import { escapeXml, FONT_SIZE, shownText, textWidth } from './measure';

/** How diagrams are drawn. */
export interface SvgOptions {
  /** Width in pixels beyond which a sequence goes on in a further line; 800 without this. */
  readonly width?: number;
  /** The name of the rule stands above the diagram; it does without this. */
  readonly heading?: boolean;
  /**
   * A file of its own, with colors for light and dark; it is without this. A part of a page takes its colors from
   * there.
   */
  readonly standalone?: boolean;
  /** With its own style sheet; it is without this. A page that allows no inline style has its own rules. */
  readonly styled?: boolean;
  /** Where the name of another rule leads to. Without this to its diagram, if that is in the same picture. */
  readonly link?: (name: RailroadName) => string | undefined;
}

const MARGIN = 16;
const HEADING = 30;
const LEAST_ROOM = 240;

/**
 * Colors follow the text color around a diagram that is part of a page, and custom properties set there:
 * `--railroad-line`, `--railroad-text`, `--railroad-literal`, `--railroad-name`, `--railroad-terminal`,
 * `--railroad-background`. A picture of its own follows the preference for light or dark.
 */
const STYLE = `
.railroad{color:#1f2933;background:var(--railroad-background,transparent)}
.railroad .track{fill:none;stroke:var(--railroad-line,currentColor);stroke-width:1.5;stroke-linecap:round}
.railroad rect{fill:none;stroke:var(--railroad-line,currentColor);stroke-width:1.5}
.railroad text{fill:var(--railroad-text,currentColor);font:${FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;unicode-bidi:isolate}
.railroad .heading{font-weight:600}
.railroad .label{font-size:11px;opacity:.75}
.railroad .alias rect{stroke:none;fill:currentColor;fill-opacity:.07}
.railroad .alias text,.railroad .parameter text{font-style:italic}
.railroad .frame{stroke-width:1;stroke-dasharray:4 3;opacity:.6}
.railroad .literal rect{stroke:var(--railroad-literal,#1a7f4e);fill:var(--railroad-literal,#1a7f4e);fill-opacity:.1}
.railroad .regexp rect{stroke:var(--railroad-regexp,#a8531c);fill:var(--railroad-regexp,#a8531c);fill-opacity:.1}
.railroad .rule rect,.railroad .template rect,.railroad .grammar rect,.railroad .parameter rect{stroke:var(--railroad-name,#2563b8);fill:var(--railroad-name,#2563b8);fill-opacity:.08}
.railroad .terminal rect{stroke:var(--railroad-terminal,#7a4bb5);fill:var(--railroad-terminal,#7a4bb5);fill-opacity:.1}
.railroad .unknown rect{stroke-dasharray:4 3}
.railroad .count text,.railroad .more text{font-size:11px}
.railroad .count rect,.railroad .more rect{stroke:none}
.railroad a:hover rect,.railroad a:focus rect{fill-opacity:.25}
@media (prefers-color-scheme:dark){.railroad.standalone{color:#e4e9ef;--railroad-literal:#4cc38a;--railroad-regexp:#e39a5f;--railroad-name:#6ea8f5;--railroad-terminal:#b794f0}}
`.trim();

/** The diagram of one definition as the text of an SVG file. The same rule gives the same text. */
export function railroadSvg(rule: RailroadRule, options: SvgOptions = {}): string {
  return picture([rule], rule.head, rule.source, options);
}

/** The diagrams of several definitions below one another, with links between them, as the text of an SVG file. */
export function railroadSheetSvg(rules: readonly RailroadRule[], title: string, options: SvgOptions = {}): string {
  return picture(rules, title, rules.map(({ source }) => source).join('\n'), options);
}

function picture(rules: readonly RailroadRule[], title: string, description: string, options: SvgOptions): string {
  const heading = options.heading ?? true;
  const ids = new Map<string, string>();
  rules.forEach(({ name }, i) => {
    if (!ids.has(name)) ids.set(name, `railroad-${/^[\w-]+$/.test(name) ? name : i}`);
  });
  const link = options.link ?? ((name) => (ids.has(name.name) ? `#${ids.get(name.name)}` : undefined));
  const out: string[] = [];
  const seen = new Set<string>();
  let y = MARGIN;
  let width = 0;
  for (const rule of rules) {
    const diagram = new Drawing(link).rule(rule, options.width ?? 800);
    const top = y;
    const head = shownText(rule.head);
    if (heading) {
      width = Math.max(width, textWidth(head) * 1.1);
      y += HEADING;
    }
    y += diagram.up;
    width = Math.max(width, diagram.width);
    const id = ids.get(rule.name)!;
    out.push(seen.has(id) ? '<g>' : `<g id="${id}">`);
    seen.add(id);
    if (heading) out.push(`<text class="heading" x="${MARGIN}" y="${top + FONT_SIZE}">${escapeXml(head)}</text>`);
    diagram.draw(MARGIN, y, out);
    out.push('</g>');
    y += diagram.height + diagram.down + (heading ? HEADING : MARGIN);
  }
  // An image has no links for those who do not see it; a document has.
  const role = out.some((each) => each.startsWith('<a ')) ? 'graphics-document document' : 'img';
  const w = Math.ceil(width + 2 * MARGIN);
  const h = Math.ceil(y - (rules.length > 0 && heading ? HEADING - MARGIN : 0));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="railroad${(options.standalone ?? true) ? ' standalone' : ''}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="${role}">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(description)}</desc>`,
    ...((options.styled ?? true) ? [`<style>${STYLE}</style>`] : []),
    ...out,
    '</svg>',
    '',
  ].join('\n');
}

/** Makes boxes of nodes. The depth of a diagram is bounded, so a function that calls itself is fine. */
class Drawing {
  constructor(readonly link: (name: RailroadName) => string | undefined) {}

  rule(rule: RailroadRule, room: number): Box {
    const inner = this.#box(rule.diagram, room - 60);
    const marks = (x: number, y: number): string => `<path class="track" d="M${x} ${y - 8}v16m5-16v16"/>`;
    const width = inner.width + 40;
    return {
      width,
      up: Math.max(inner.up, 8),
      height: inner.height,
      down: Math.max(inner.down, 8),
      draw: (x, y, out) => {
        const end = x + width;
        out.push(marks(x, y), `<path class="track" d="M${x + 5} ${y}h15"/>`);
        inner.draw(x + 20, y, out);
        out.push(`<path class="track" d="M${end - 20} ${y + inner.height}h15"/>`, marks(end - 5, y + inner.height));
      },
    };
  }

  #box(node: RailroadNode, room: number): Box {
    const width = Math.max(room, LEAST_ROOM);
    switch (node.kind) {
      case 'skip':
        return straight(20);
      case 'literal': {
        const type = node.type === 'regexp' ? 'regexp' : 'literal';
        return textBox(node.text, type, HALF, undefined);
      }
      case 'name':
        return this.#name(node);
      case 'sequence':
        return row(
          node.items.map((item) => this.#box(item, width)),
          width,
        );
      case 'choice':
        return choice(node.items.map((item) => this.#box(item, width - 40)));
      case 'optional':
        return bypass(this.#box(node.item, width - 40));
      case 'repeat':
        return this.#repeat(node, width - 20);
      case 'group':
        if (node.type === 'alias') {
          const tag = textBox(`→ ${node.label}`, 'alias', 3, undefined);
          if (node.item.kind === 'skip') return tag;
          const items = node.item.kind === 'sequence' ? node.item.items : [node.item];
          return row([...items.map((item) => this.#box(item, width)), tag], width);
        }
        return frame(
          this.#box(node.item, width - 20),
          escapeXml(shownText(node.label)),
          textWidth(shownText(node.label)),
          node.type,
        );
      case 'more':
        return textBox(node.count === undefined ? '…' : `… +${node.count}`, 'more', 3, undefined);
    }
  }

  #name(node: RailroadName): Box {
    const known = node.definition !== undefined || node.type === 'grammar';
    const box = textBox(node.text, known ? node.type : `${node.type} unknown`, 3, node);
    const href = this.link(node);
    if (href === undefined) return box;
    return {
      ...box,
      draw: (x, y, out) => {
        out.push(`<a href="${escapeXml(href)}">`);
        box.draw(x, y, out);
        out.push('</a>');
      },
    };
  }

  #repeat(node: RailroadNode & { kind: 'repeat' }, room: number): Box {
    const item = this.#box(node.item, room);
    const separator =
      node.separator === undefined ? undefined : this.#box(reversed(node.separator), Number.POSITIVE_INFINITY);
    const count = countOf(node);
    if (count === undefined) return loop(item, separator);
    const label = textBox(count, 'count', 3, undefined);
    return loop(item, separator === undefined ? label : row([label, separator], Number.POSITIVE_INFINITY));
  }
}

/** The track runs back from right to left, so what comes first stands on the right. */
function reversed(node: RailroadNode): RailroadNode {
  return node.kind === 'sequence' ? { ...node, items: [...node.items].reverse() } : node;
}

/** How often an item comes, where that is not just once or more. */
function countOf({ least, most }: { readonly least: number; readonly most: number | undefined }): string | undefined {
  if (most === undefined) return least > 1 ? `≥ ${least} ×` : undefined;
  return least === most ? `${least} ×` : `${least}–${most} ×`;
}

function textBox(text: string, className: string, corner: number, name: RailroadName | undefined): Box {
  const shown = shownText(text);
  const inner = textWidth(shown);
  const width = inner + 20;
  const small = className === 'count' || className === 'more';
  const half = small ? 9 : className === 'alias' ? 11 : HALF;
  const data = name?.definition && ` data-definition="${name.definition.start}"`;
  return {
    width,
    up: half,
    height: 0,
    down: half,
    draw: (x, y, out) => {
      // Fonts differ a little in width: the text is told the one that the box is made for.
      const length = small ? '' : ` textLength="${inner}"`;
      const anchor = small ? ` text-anchor="middle"` : '';
      const at = small ? x + width / 2 : x + 10;
      out.push(
        `<g class="${className}"${data ?? ''}>${shown === text ? '' : `<title>${escapeXml(text)}</title>`}` +
          `<rect x="${x}" y="${y - half}" width="${width}" height="${2 * half}" rx="${Math.min(corner, half)}"/>` +
          `<text x="${at}" y="${y + 4}"${anchor}${length}>${escapeXml(shown)}</text></g>`,
      );
    },
  };
}
