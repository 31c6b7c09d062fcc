import { type Message, t } from '../../text/message';
import { type CharSet, equal } from './charSet';
import { jsClass } from './jsClass';
import { closedUnderCase, literalSet } from './pythonCase';
import {
  type AlternationNode,
  type AnchorNode,
  type ConditionalNode,
  children,
  type GroupNode,
  type LookNode,
  type ReferenceNode,
  type RegexNode,
  type RegexProblem,
  type RegexProblemCode,
  type RegexTree,
  type RepeatNode,
  unwrap,
} from './tree';
import { Widths } from './width';

export interface JsOptions {
  /** What the names of groups start with; expressions that are put together need different ones. */
  readonly prefix?: string;
  /** Whether the host reads `(?i:…)`; asked of the host when left out. */
  readonly modifiers?: boolean;
}

export type JsResult =
  | { readonly source: string; readonly flags: string; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: RegexProblem };

/** More source than this is refused; no engine compiles it in reasonable time. */
const MAX_SOURCE = 4_000_000;
/** Steps in cases about which groups have matched; each case repeats what follows. */
const MAX_STEPS = 20_000;

/**
 * The expression as source and flags of a JavaScript `RegExp` that matches what Python 3.11 matches, at the same
 * place and with the same end. Written out of the tree: sets as ranges of code points with case and Unicode tables of
 * Python, and no group but those that are referred to. `^` and `\A` are the start of the whole text, so use it with
 * the flag `y` on the whole text. Refused are few: a reference to a group inside of a loop whose match may stem
 * from an earlier round, and a reference that ignores case next to parts that do not, on hosts without `(?i:…)`.
 */
export function toJsRegExp(tree: RegexTree, options: JsOptions = {}): JsResult {
  try {
    return new JsWriter(tree, options).write();
  } catch (error) {
    if (error instanceof Untranslatable) return { problem: error.problem };
    throw error;
  }
}

/** A `RegExp` for the expression, or why there is none. Its `lastIndex` is the caller's to set when sticky. */
export function compileJs(tree: RegexTree, options: JsOptions & { sticky?: boolean } = {}): RegExp | RegexProblem {
  const result = toJsRegExp(tree, options);
  if (result.problem !== undefined) return result.problem;
  const regexp = tryRegExp(result.source, options.sticky === true ? `${result.flags}y` : result.flags);
  if (regexp !== undefined) return regexp;
  const span = { start: 0, end: tree.source.length };
  return { code: 'too-large', span, message: t('The expression is too large for the JavaScript engine.') };
}

/** V8 only notices at the first use that an expression is too large. */
function tryRegExp(source: string, flags: string): RegExp | undefined {
  try {
    const regexp = new RegExp(source, flags);
    regexp.test('');
    regexp.lastIndex = 0;
    return regexp;
  } catch {
    return undefined;
  }
}

let hostModifiers: boolean | undefined;

function hostReadsModifiers(): boolean {
  hostModifiers ??= tryRegExp('(?i:a)', 'u') !== undefined;
  return hostModifiers;
}

/** Rounds of a bounded loop that are written out when they have to be. */
const MAX_REORDERED = 5;

class Untranslatable extends Error {
  constructor(readonly problem: RegexProblem) {
    super(problem.code);
  }
}

/** For each group that is referred to: the name of its copy that has matched, or that it has not, or either. */
type GroupStates = ReadonlyMap<number, string | 'unknown'>;

class JsWriter {
  private readonly referenced = new Set<number>();
  /** Where the last reference to each group ends. */
  private readonly lastReference = new Map<number, number>();
  private readonly involved = new Set<RegexNode>();
  private readonly widths: Widths;
  private readonly sets: CharSet[] = [];
  private readonly prefix: string;
  private ignoringReferences = false;
  private names = 0;
  private steps = 0;
  private length = 0;

  constructor(
    private readonly tree: RegexTree,
    private readonly options: JsOptions,
  ) {
    this.widths = new Widths(tree.groups);
    this.prefix = options.prefix ?? 'g';
  }

  write(): { source: string; flags: string } {
    this.findReferences(this.tree.root);
    this.findInvolved(this.tree.root);
    const source = this.run(this.tree.root, new Map()).source;
    let flags = 'u';
    if (this.ignoringReferences) {
      if (this.sets.some((set) => !closedUnderCase(set))) {
        const message = t(
          'A reference that ignores case stands next to parts that do not; this cannot be tested here.',
        );
        this.refuse('untranslatable', this.tree.root, message);
      }
      flags = 'iu';
    }
    return { source, flags };
  }

  private refuse(code: RegexProblemCode, node: RegexNode, message: Message): never {
    throw new Untranslatable({ code, span: node.span, message });
  }

  private findReferences(node: RegexNode): void {
    if (node.kind === 'reference' || node.kind === 'conditional') {
      this.referenced.add(node.group);
      const end = this.lastReference.get(node.group) ?? 0;
      this.lastReference.set(node.group, Math.max(end, node.span.end));
    }
    for (const child of children(node)) this.findReferences(child);
  }

  /** Marks nodes that hold a group that is referred to, or a reference: those that need care. */
  private findInvolved(node: RegexNode): boolean {
    let involved = node.kind === 'reference' || node.kind === 'conditional';
    if (node.kind === 'group' && node.capture !== undefined && this.referenced.has(node.capture)) involved = true;
    for (const child of children(node)) if (this.findInvolved(child)) involved = true;
    if (involved) this.involved.add(node);
    return involved;
  }

  private freshName(): string {
    this.names++;
    return `${this.prefix}${this.names}`;
  }

  private use(set: CharSet): string {
    this.sets.push(set);
    const source = jsClass(set);
    this.length += source.length;
    if (this.length > MAX_SOURCE) {
      this.refuse('too-large', this.tree.root, t('The expression is too large to be tested here.'));
    }
    return source;
  }

  /** Source of a node that stands alone, with the states of groups behind it. */
  private run(node: RegexNode, states: GroupStates): { source: string; states: GroupStates } {
    if (!this.involved.has(node)) return { source: this.plain(node), states };
    let after: GroupStates | undefined;
    const source = this.before(node, states, (out) => {
      after = after === undefined ? out : join(after, out);
      return '';
    });
    return { source, states: after ?? states };
  }

  // ---- Parts without groups that matter.

  private plain(node: RegexNode): string {
    switch (node.kind) {
      case 'empty':
        return '';
      case 'set':
        return this.use(node.set);
      case 'anchor':
        return this.anchor(node);
      case 'sequence':
        return node.items.map((item) => this.piece(item)).join('');
      case 'alternation':
        return node.items.map((item) => this.plain(item)).join('|');
      case 'group':
        return node.atomic ? this.atomic(this.plain(node.body)) : this.plain(node.body);
      case 'look':
        return this.look(node, this.plain(node.body));
      case 'repeat':
        return this.repeat(node, (body) => this.repeated(body));
      default:
        return this.run(node, new Map()).source;
    }
  }

  /** A node as a part of a sequence. */
  private piece(node: RegexNode): string {
    return needsBrackets(node) ? `(?:${this.plain(node)})` : this.plain(node);
  }

  /** A node as what a quantifier repeats. */
  private repeated(node: RegexNode): string {
    const inner = unwrap(node);
    return inner.kind === 'set' ? this.plain(inner) : `(?:${this.plain(node)})`;
  }

  private anchor(node: AnchorNode): string {
    switch (node.type) {
      case 'start':
        return '^';
      case 'end':
        return '$';
      case 'before-last-line-end':
        return '(?=\\n?$)';
      case 'line-start':
        return '(?:^|(?<=\\n))';
      case 'line-end':
        return '(?=\\n|$)';
      case 'boundary': {
        const word = this.use(node.word);
        return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
      }
      case 'no-boundary': {
        // Python 3.11 finds neither a boundary nor its opposite in an empty text.
        const word = this.use(node.word);
        return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})(?:(?=[^])|(?<=[^])))`;
      }
    }
  }

  /** Look-ahead has no second try in JavaScript either: what it matched is taken as it is. */
  private atomic(body: string): string {
    const name = this.freshName();
    return `(?:(?=(?<${name}>${body}))\\k<${name}>)`;
  }

  private look(node: LookNode, body: string): string {
    if (node.ahead) return `(?${node.negative ? '!' : '='}${body})`;
    const sign = node.negative ? '<!' : '<=';
    if (!this.involved.has(node) && worksBackward(node.body)) return `(?${sign}${body})`;
    // JavaScript reads look-behinds from right to left. Python goes back by the width and reads forward.
    const { min } = this.widths.of(node.body);
    const inner = min === 0 ? `(?=${body})` : `(?=${body})[^]{${min}}`;
    return `(?${sign}${inner})`;
  }

  private repeat(node: RepeatNode, repeated: (body: RegexNode) => string): string {
    const { body, min, max, mode } = node;
    if (max - min === 1 && !this.involved.has(body) && this.widths.of(body).min === 0) {
      // JavaScript refuses a last round that matches nothing; Python takes it.
      const forced = min === 0 ? '' : `${repeated(body)}{${min}}`;
      if (mode === 'lazy') return `(?:${forced}(?:|${this.plain(body)}))`;
      const source = `(?:${forced}(?:${this.plain(body)}|))`;
      return mode === 'possessive' ? this.atomic(source) : source;
    }
    const reordered = mode === 'lazy' || max <= min ? undefined : this.emptyFirst(node, repeated);
    if (reordered !== undefined) return mode === 'possessive' ? this.atomic(reordered) : reordered;
    const source = `${repeated(body)}${quantifier(min, max)}`;
    if (mode === 'lazy') return `${source}?`;
    return mode === 'possessive' && min !== max ? this.atomic(source) : source;
  }

  /**
   * Python ends a loop after a round that matches nothing; JavaScript tries the round another way. That matters
   * where the round would rather match nothing: then the loop is lazy in what comes after that choice.
   */
  private emptyFirst(node: RepeatNode, repeated: (body: RegexNode) => string): string | undefined {
    if (this.involved.has(node.body) || this.widths.of(node.body).min > 0) return undefined;
    const parts = this.splitAtEmpty(node.body);
    if (parts === undefined || parts.after.length === 0) return undefined;
    const { body, min, max } = node;
    const forced = min === 0 ? '' : `${repeated(body)}{${min}}`;
    const before = parts.before.map((part) => this.plain(part)).join('|');
    const after = parts.after.map((part) => this.plain(part)).join('|');
    if (before === '') return `(?:${forced}(?:${after})${quantifier(0, max - min)}?)`;
    if (max === Infinity) return `(?:${forced}(?:${before})*(?:(?:${after})(?:${before})*)*?)`;
    if (max - min > MAX_REORDERED) return undefined;
    let source = '';
    for (let i = min; i < max; i++) source = `(?:(?:${before})${source}||(?:${after})${source})`;
    return forced + source;
  }

  /** Ways to match something, before and after the way that matches nothing. */
  private splitAtEmpty(node: RegexNode): { before: RegexNode[]; after: RegexNode[] } | undefined {
    const inner = unwrap(node);
    if (inner.kind === 'empty') return { before: [], after: [] };
    if (inner.kind === 'repeat' && inner.min === 0 && this.widths.of(inner.body).min > 0) {
      const some = { ...inner, min: 1, max: Math.max(1, inner.max) };
      return inner.mode === 'lazy' ? { before: [], after: [some] } : { before: [some], after: [] };
    }
    if (inner.kind !== 'alternation') return undefined;
    const before: RegexNode[] = [];
    const after: RegexNode[] = [];
    let seen = false;
    for (const item of inner.items) {
      if (this.widths.of(item).min > 0) {
        (seen ? after : before).push(item);
        continue;
      }
      const ways = this.splitAtEmpty(item);
      if (ways === undefined) return undefined;
      (seen ? after : before).push(...ways.before);
      after.push(...ways.after);
      seen = true;
    }
    return { before, after };
  }

  // ---- Parts with groups that matter: written together with all that follows, once per case.

  private before(node: RegexNode, states: GroupStates, rest: (states: GroupStates) => string): string {
    this.steps++;
    if (this.steps > MAX_STEPS) {
      this.refuse('too-large', node, t('Too many cases of groups that may or may not have matched.'));
    }
    if (!this.involved.has(node)) return this.piece(node) + rest(states);
    switch (node.kind) {
      case 'sequence':
        return this.items(node.items, 0, states, rest);
      case 'alternation':
        return this.alternation(node, states, rest);
      case 'group':
        return this.group(node, states, rest);
      case 'repeat':
        return this.loop(node, states, rest);
      case 'look': {
        const body = this.run(node.body, states);
        return this.look(node, body.source) + rest(node.negative ? states : body.states);
      }
      case 'reference':
        return this.reference(node, states) + rest(states);
      case 'conditional':
        return this.conditional(node, states, rest);
      default:
        return this.piece(node) + rest(states);
    }
  }

  private items(
    items: readonly RegexNode[],
    from: number,
    states: GroupStates,
    rest: (states: GroupStates) => string,
  ): string {
    let source = '';
    for (let i = from; i < items.length; i++) {
      const item = items[i]!;
      if (this.involved.has(item)) {
        return source + this.before(item, states, (after) => this.items(items, i + 1, after, rest));
      }
      source += this.piece(item);
    }
    return source + rest(states);
  }

  private alternation(node: AlternationNode, states: GroupStates, rest: (states: GroupStates) => string): string {
    const mark = this.names;
    const ways = node.items.map((item) => this.run(item, states));
    if (ways.every((way) => this.sameFor(ways[0]!.states, way.states, node.span.end))) {
      return `(?:${ways.map((way) => way.source).join('|')})${rest(ways.map((way) => way.states).reduce(join))}`;
    }
    this.names = mark;
    return `(?:${node.items.map((item) => this.before(item, states, rest)).join('|')})`;
  }

  /** Whether two states are the same for all that stands behind an offset. */
  private sameFor(a: GroupStates, b: GroupStates, offset: number): boolean {
    for (const [group, end] of this.lastReference) if (end > offset && a.get(group) !== b.get(group)) return false;
    return true;
  }

  private group(node: GroupNode, states: GroupStates, rest: (states: GroupStates) => string): string {
    const { capture } = node;
    if (node.atomic) {
      const body = this.run(node.body, states);
      return this.atomic(body.source) + rest(body.states);
    }
    if (capture === undefined || !this.referenced.has(capture)) return `(?:${this.before(node.body, states, rest)})`;
    const body = this.run(node.body, states);
    const name = this.freshName();
    return `(?<${name}>${body.source})${rest(new Map(body.states).set(capture, name))}`;
  }

  private loop(node: RepeatNode, states: GroupStates, rest: (states: GroupStates) => string): string {
    const { body, min, max, mode } = node;
    if (max === 0) return rest(states);
    const inner = new Map(states);
    if (max > 1) for (const group of this.groupsIn(body)) inner.set(group, 'unknown');
    const lazy = mode === 'lazy' ? '?' : '';
    const mark = this.names;
    if (mode === 'possessive') {
      const once = this.run(body, inner);
      const source = this.atomic(`(?:${once.source})${quantifier(Math.max(1, min), max)}`);
      if (min > 0) return source + rest(once.states);
      const none = this.run(body, states).source;
      return `(?:${source}${rest(once.states)}|(?!${none})${rest(states)})`;
    }
    const probe = this.run(body, inner);
    if (min > 0 || this.sameFor(states, probe.states, node.span.end)) {
      return `(?:${probe.source})${quantifier(min, max)}${lazy}${rest(min === 0 ? join(states, probe.states) : probe.states)}`;
    }
    this.names = mark;
    if (max === 1) {
      const taken = this.before(body, inner, rest);
      return lazy ? `(?:${rest(states)}|${taken})` : `(?:${taken}|${rest(states)})`;
    }
    const some = this.run(body, inner);
    const taken = `(?:${some.source})${quantifier(1, max)}${lazy}${rest(some.states)}`;
    return lazy ? `(?:${rest(states)}|${taken})` : `(?:${taken}|${rest(states)})`;
  }

  private groupsIn(node: RegexNode): number[] {
    const own = node.kind === 'group' && node.capture !== undefined && this.referenced.has(node.capture);
    return [...(own ? [node.capture!] : []), ...children(node).flatMap((child) => this.groupsIn(child))];
  }

  private reference(node: ReferenceNode, states: GroupStates): string {
    const name = states.get(node.group);
    if (name === undefined) return '[]';
    if (name === 'unknown') this.refuseUnknown(node);
    if (!node.ignoreCase || !this.hasCase(this.tree.groups[node.group]!.body)) return `\\k<${name}>`;
    if (this.options.modifiers ?? hostReadsModifiers()) return `(?i:\\k<${name}>)`;
    this.ignoringReferences = true;
    return `\\k<${name}>`;
  }

  private refuseUnknown(node: RegexNode): never {
    const message = t(
      'Whether the group has matched depends on an earlier round of a loop; this cannot be tested here.',
    );
    this.refuse('untranslatable', node, message);
  }

  /** Whether a text that the node matches can be written in another case. */
  private hasCase(node: RegexNode): boolean {
    if (node.kind === 'reference') return true;
    if (node.kind !== 'set') return children(node).some((child) => this.hasCase(child));
    for (let i = 0; i < node.set.length; i += 2) {
      if (node.set[i + 1]! - node.set[i]! > 0x100) return true;
      for (let code = node.set[i]!; code <= node.set[i + 1]!; code++) {
        if (!equal(literalSet(code, 'unicode'), [code, code])) return true;
      }
    }
    return false;
  }

  private conditional(node: ConditionalNode, states: GroupStates, rest: (states: GroupStates) => string): string {
    const name = states.get(node.group);
    if (name === 'unknown') this.refuseUnknown(node);
    const way = name === undefined ? node.no : node.yes;
    if (way === undefined) return rest(states);
    return this.before(way, states, rest);
  }
}

function join(a: GroupStates, b: GroupStates): GroupStates {
  if (a === b) return a;
  const out = new Map<number, string>();
  for (const group of new Set([...a.keys(), ...b.keys()])) {
    const name = a.get(group);
    out.set(group, name !== undefined && name === b.get(group) ? name : 'unknown');
  }
  return out;
}

function needsBrackets(node: RegexNode): boolean {
  if (node.kind === 'group' && !node.atomic) return needsBrackets(node.body);
  return node.kind === 'alternation';
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** Whether reading from right to left finds the same: nothing in it takes the first of several ways for good. */
function worksBackward(node: RegexNode): boolean {
  if (node.kind === 'reference' || node.kind === 'conditional') return false;
  if (node.kind === 'group' && node.atomic) return false;
  if (node.kind === 'repeat' && node.mode === 'possessive' && node.min !== node.max) return false;
  return children(node).every(worksBackward);
}
