import { ENGINE_COMMON, ENGINE_LAST_TOKEN, ENGINE_TOKEN_NAMES } from '../../profiles/llguidance';
import { t } from '../../text/message';
import type { Span } from '../../text/span';
import { parseRustRegex } from '../regex/parseRust';
import type { RegexProblem, RegexResult } from '../regex/tree';
import type {
  EngineAlternative,
  EngineAtom,
  EngineExpansions,
  EngineItem,
  EngineRule,
  EngineTerminal,
  EngineValue,
} from './engineAst';
import type { JsonValue } from './engineJson';
import { engineLex, type LexFailure } from './engineLex';
import { engineParse, type SyntaxFailure } from './engineParse';
import { schemaRefusal } from './engineSchema';

export type RefusalCode =
  | 'no-start'
  | 'undefined'
  | 'rule-in-terminal'
  | 'duplicate'
  | 'priority'
  | 'template'
  | 'declare'
  | 'override'
  | 'import'
  | 'recursion'
  | 'regex'
  | 'flag-l'
  | 'flag-twice'
  | 'range'
  | 'repeat'
  | 'in-terminal'
  | 'intersection'
  | 'condition'
  | 'parameter'
  | 'special'
  | 'grammar-name'
  | 'json'
  | 'structured-regex'
  | 'header'
  | 'attributes';

/** One cause for which the engine refuses a grammar that it could read. */
export interface EngineRefusal {
  readonly code: RefusalCode;
  /** The culprit, which the engine itself rarely names. */
  readonly span: Span;
  /** A name, or words of the engine. */
  readonly detail: string;
  /** Other places: the first definition of a duplicate, the way of a cycle. */
  readonly related: readonly Span[];
  /** Of `regex`: the problem, with its place in the expression. */
  readonly regex?: RegexProblem;
}

/** What llguidance 1.9.1 says to a grammar when it is loaded. */
export interface EngineVerdict {
  readonly loads: boolean;
  /** Blank text, or a text that it takes for a JSON list of grammars. */
  readonly whole: 'blank' | 'json' | undefined;
  readonly lexer: LexFailure | undefined;
  readonly syntax: SyntaxFailure | undefined;
  /** Ranges of counts that it misreads, for each of which it refuses the grammar; from the `~` to the last number. */
  readonly misread: readonly Span[];
  /** Every reason that can be found, in text order; the engine itself stops at the first that it meets. */
  readonly refusals: readonly EngineRefusal[];
  readonly items: readonly EngineItem[];
}

/** So many reasons are enough. */
const MOST_REFUSALS = 1000;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A grammar that is still to be judged: a `%lark { … }`, or a schema, which leaves its mark on those behind it. */
type Pending = { readonly items: readonly EngineItem[]; readonly span: Span } | 'schema';

/** Reads an expression in Rust's dialect, for characters. */
type ReadRegex = (source: string, flags: ReadonlySet<string>) => RegexResult;

/**
 * Judges a grammar as llguidance 1.9.1 does on loading. Limits of size are not judged here.
 * @param readRegex `parseRustRegex`, or one that remembers
 */
export function judgeForEngine(source: string, readRegex: ReadRegex = parseRustRegex): EngineVerdict {
  // Half a surrogate pair is no character of UTF-8, so the engine never sees it.
  const text = source.replace(LONE_SURROGATE, '\ufffd');
  const nothing = { lexer: undefined, syntax: undefined, misread: [], refusals: [], items: [] };
  if (/^\p{White_Space}*$/u.test(text)) return { ...nothing, loads: false, whole: 'blank' };
  if (/^\p{White_Space}*\{/u.test(text)) return { ...nothing, loads: false, whole: 'json' };
  const { tokens, failure: lexer, misread } = engineLex(text);
  if (lexer !== undefined) return { ...nothing, loads: false, whole: undefined, lexer, misread };
  const parsed = engineParse(tokens);
  if (parsed.failure !== undefined)
    return { ...nothing, loads: false, whole: undefined, syntax: parsed.failure, misread };
  const refusals: EngineRefusal[] = [];
  const open: Pending[] = [{ items: parsed.items, span: { start: 0, end: 0 } }];
  let bytes = false;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === 'schema') bytes = false;
    else {
      const check = new GrammarCheck(next, refusals, bytes, readRegex);
      check.run();
      bytes = check.bytes;
      open.push(...check.pending.reverse());
    }
  }
  refusals.sort((a, b) => a.span.start - b.span.start);
  return { ...nothing, loads: refusals.length === 0, whole: undefined, misread, refusals, items: parsed.items };
}

type Defined = EngineTerminal | { readonly kind: 'import'; readonly name: EngineTerminal['name'] };

/** One grammar: the text itself or a `%lark { … }` in it. */
class GrammarCheck {
  readonly #rules = new Map<string, EngineRule>();
  readonly #terminals = new Map<string, Defined>();
  readonly #queue: (EngineRule | EngineTerminal)[] = [];
  #judged = 0;
  readonly #reached = new Set<EngineRule | EngineTerminal>();
  /** Names of terminals that a terminal uses, with their places. */
  readonly #uses = new Map<EngineTerminal, { name: string; span: Span }[]>();
  #current: EngineTerminal | undefined;
  #wantsBytes = false;
  readonly #standIns = new Set<string>();
  /** Grammars inside this one, in the order of the engine. */
  readonly pending: Pending[] = [];

  /** @param bytes Expressions stand for bytes; of the grammar before this one, and valid here for what is ignored. */
  constructor(
    readonly grammar: { readonly items: readonly EngineItem[]; readonly span: Span },
    readonly refusals: EngineRefusal[],
    public bytes: boolean,
    readonly readRegex: ReadRegex,
  ) {}

  run(): void {
    const { items, span } = this.grammar;
    for (const item of items) this.#item(item);
    const start = this.#rules.get('start');
    if (start === undefined) this.#refuse('no-start', span, '');
    for (const item of items) if (item.kind === 'ignore') this.#terminalList(item.body);
    this.#drain();
    this.bytes = this.#wantsBytes;
    if (start !== undefined) {
      this.#reach(start);
      if (start.parametric) this.#refuse('parameter', start.name.span, 'start');
    }
    this.#drain();
    this.#cycles();
  }

  /** Judges what was reached since the last time, and what that reaches. */
  #drain(): undefined {
    for (; this.#judged < this.#queue.length; this.#judged++) {
      const next = this.#queue[this.#judged]!;
      if (next.kind === 'rule') this.#rule(next);
      else {
        this.#current = next;
        this.#terminalList(next.body);
        this.#current = undefined;
      }
    }
  }

  #refuse(code: RefusalCode, span: Span, detail: string, more: Partial<EngineRefusal> = {}): undefined {
    if (this.refusals.length < MOST_REFUSALS) this.refusals.push({ code, span, detail, related: [], ...more });
  }

  #reach(definition: EngineRule | EngineTerminal): undefined {
    if (this.#reached.has(definition)) return;
    this.#reached.add(definition);
    this.#queue.push(definition);
  }

  #item(item: EngineItem): undefined {
    switch (item.kind) {
      case 'rule':
      case 'token': {
        if (item.template !== undefined) this.#refuse('template', item.template, '');
        if (item.priority !== undefined) this.#refuse('priority', item.priority, '');
        const before = item.kind === 'rule' ? this.#rules.get(item.name.text) : this.#terminals.get(item.name.text);
        if (before !== undefined) this.#duplicate(item.name, before.name.span);
        else if (item.kind === 'rule') this.#rules.set(item.name.text, item);
        else this.#terminals.set(item.name.text, item);
        return;
      }
      case 'import':
        return this.#import(item);
      case 'override':
      case 'declare':
        // The names stand all the same, so that their uses are not reported too.
        for (const name of item.names) this.#standIns.add(name.text);
        return this.#refuse(item.kind, item.span, '');
      case 'header':
        return this.#header(item.json, item.span);
      default:
    }
  }

  #duplicate(name: EngineTerminal['name'], first: Span): undefined {
    this.#refuse('duplicate', name.span, name.text, { related: [first] });
  }

  #import(item: EngineItem & { kind: 'import' }): undefined {
    const wanted =
      item.names === undefined
        ? [{ path: item.path, name: item.alias ?? item.last, place: item.last.span }]
        : item.names.map((name) => ({ path: `${item.path}.${name.text}`, name, place: name.span }));
    for (const { path, name, place } of wanted) {
      if (!ENGINE_COMMON.has(path)) {
        const inCommon = /^common\.[^.]*$/.test(path);
        this.#refuse('import', inCommon ? place : item.pathSpan, path);
      } else {
        const before = this.#terminals.get(name.text);
        if (before !== undefined) {
          this.#duplicate(name, before.name.span);
          continue;
        }
      }
      // A name that cannot be imported stands all the same, so that its uses are not reported too.
      this.#terminals.set(name.text, { kind: 'import', name });
    }
  }

  #header(json: JsonValue, span: Span): undefined {
    if (json.kind !== 'object') return this.#refuse('header', span, '');
    for (const key of ['no_forcing', 'allow_invalid_utf8', 'allow_initial_skip', 'ignore_once']) {
      const value = json.members.get(key);
      if (value === undefined) continue;
      if (value.kind !== 'boolean') this.#refuse('header', span, key);
      else if (key === 'allow_invalid_utf8') this.#wantsBytes = value.value;
    }
  }

  #rule(rule: EngineRule): undefined {
    const { attributes, body } = rule;
    const place = attributes.span ?? rule.name.span;
    const stops = attributes.stop !== undefined || attributes.suffix !== undefined;
    if (attributes.stop !== undefined && attributes.suffix !== undefined)
      return this.#refuse('attributes', place, 'stop= and suffix=');
    if (rule.parametric && (stops || attributes.temperature || attributes.maxTokens !== undefined))
      return this.#refuse('attributes', place, 'parametric');
    if (attributes.maxTokens === 0) return;
    if (stops) {
      this.#terminalList(body);
      for (const value of [attributes.stop, attributes.suffix]) if (value !== undefined) this.#terminalAtom(value);
      return;
    }
    if (attributes.stopCapture) return this.#refuse('attributes', place, 'stop_capture');
    if (attributes.temperature || attributes.maxTokens !== undefined) {
      const atom = singleAtom(body);
      if (atom?.kind === 'grammarName') this.#value(atom);
      else if (atom?.kind === 'json' || atom?.kind === 'nested') this.#value(atom);
      else this.#terminalList(body);
      return;
    }
    this.#ruleList(body);
    const needs = needsParameter(body);
    if (rule.parametric && needs === undefined) this.#refuse('parameter', rule.name.span, 'unused');
    if (!rule.parametric && needs !== undefined) this.#refuse('parameter', needs, 'missing');
  }

  #ruleList(body: EngineExpansions): undefined {
    for (const alternative of body.items) {
      if (alternative.and !== undefined) {
        this.#refuse('intersection', alternative.and, '');
        continue;
      }
      for (const { atom, range } of alternative.conjuncts[0]!) {
        if (atom.kind === 'group' || atom.kind === 'optional') this.#ruleList(atom.body);
        else if (atom.kind === 'not') this.#terminalAtom(atom);
        else this.#value(atom);
        if (range !== undefined) this.#range(range);
      }
    }
  }

  #range({ least, most, span }: { least: number; most: number; span: Span }): undefined {
    if (least < 0 || most < least) this.#refuse('repeat', span, least < 0 ? 'negative' : 'reversed');
  }

  /** A value in a rule. */
  #value(value: EngineValue): undefined {
    switch (value.kind) {
      case 'name':
      case 'parameter': {
        const rule = this.#rules.get(value.name);
        if (rule === undefined && value.kind === 'name') return this.#terminalName(value);
        if (rule === undefined) {
          return this.#standIns.has(value.name) ? undefined : this.#refuse('undefined', value.span, value.name);
        }
        if (rule.template !== undefined) return;
        if (rule.parametric !== (value.kind === 'parameter')) this.#refuse('parameter', value.span, 'use');
        return this.#reach(rule);
      }
      case 'special':
        return this.#special(value.text, value.span);
      case 'grammarName':
        return this.#refuse('grammar-name', value.span, value.text);
      case 'json': {
        const refusal = schemaRefusal(value.json);
        if (refusal !== undefined) this.#refuse('json', refusal.place ?? value.span, refusal.message);
        this.pending.push('schema');
        return;
      }
      case 'nested':
        this.pending.push({ items: value.items, span: value.span });
        return;
      default:
        return this.#terminalAtom(value);
    }
  }

  #special(text: string, span: Span): undefined {
    const detail = tokenRefusal(text);
    if (detail !== undefined) this.#refuse('special', span, detail);
  }

  #terminalName({ name, span }: { name: string; span: Span }): undefined {
    const terminal = this.#terminals.get(name);
    if (terminal === undefined) {
      if (this.#standIns.has(name)) return;
      this.#refuse(this.#rules.has(name) ? 'rule-in-terminal' : 'undefined', span, name);
      return;
    }
    if (this.#current !== undefined) {
      const uses = this.#uses.get(this.#current);
      if (uses === undefined) this.#uses.set(this.#current, [{ name, span }]);
      else uses.push({ name, span });
    }
    if (terminal.kind === 'token' && terminal.template === undefined) this.#reach(terminal);
  }

  #terminalList(body: EngineExpansions): undefined {
    for (const alternative of body.items) {
      if (alternative.condition !== undefined) {
        this.#refuse('condition', alternative.condition, '');
        continue;
      }
      for (const conjunct of alternative.conjuncts) {
        for (const { atom, range } of conjunct) {
          this.#terminalAtom(atom);
          if (range !== undefined) this.#range(range);
        }
      }
    }
  }

  #terminalAtom(start: EngineAtom): undefined {
    let atom = start;
    while (atom.kind === 'not') atom = atom.atom;
    switch (atom.kind) {
      case 'group':
      case 'optional':
        return this.#terminalList(atom.body);
      case 'name':
        return this.#terminalName(atom);
      case 'range':
        return this.#characterRange(atom.from, atom.to, atom.span);
      case 'regexp':
        return this.#regexp(atom.source, atom.flags, atom.span);
      case 'template':
        return this.#refuse('template', atom.span, '');
      case 'structuredRegex':
        return this.#structured(atom.json, atom.span);
      case 'string':
        return;
      default:
        this.#refuse('in-terminal', atom.span, atom.kind);
    }
  }

  #characterRange(from: string, to: string, span: Span): undefined {
    if ([...from].length !== 1 || [...to].length !== 1) this.#refuse('range', span, 'length');
    // The engine writes a class of it, and classes of bytes have no other characters.
    else if (this.bytes && /[^\0-\x7f]/.test(from + to)) this.#refuse('range', span, 'bytes');
    else if (from.codePointAt(0)! > to.codePointAt(0)!) this.#refuse('range', span, 'order');
  }

  #regexp(source: string, flags: string, span: Span): undefined {
    if (flags.includes('l')) return this.#refuse('flag-l', span, '');
    if (new Set(flags).size < flags.length) return this.#refuse('flag-twice', span, flags);
    const { problem } = this.bytes
      ? parseRustRegex(source, flags, { bytes: true })
      : this.readRegex(source, new Set(flags));
    if (problem === undefined) return;
    const start = span.start + 1;
    const place = { start: start + problem.span.start, end: start + problem.span.end };
    this.#refuse('regex', place, '', { regex: problem });
  }

  #structured(json: JsonValue, span: Span): undefined {
    // What does not fit at all was refused when the text was split.
    const values = json.kind === 'object' ? [...json.members.values()] : json.kind === 'array' ? json.items : [];
    if (values.filter(({ kind }) => kind !== 'null').length !== 1) this.#refuse('structured-regex', span, 'one');
  }

  /** Terminals that contain themselves, each cycle once. */
  #cycles(): undefined {
    const done = new Set<EngineTerminal>();
    for (const start of this.#uses.keys()) {
      if (done.has(start)) continue;
      const open = new Map<EngineTerminal, number>();
      const stack: { terminal: EngineTerminal; next: number }[] = [{ terminal: start, next: 0 }];
      open.set(start, 0);
      while (stack.length > 0) {
        const top = stack.at(-1)!;
        const use = this.#uses.get(top.terminal)?.[top.next++];
        if (use === undefined) {
          stack.pop();
          open.delete(top.terminal);
          done.add(top.terminal);
          continue;
        }
        const target = this.#terminals.get(use.name);
        if (target?.kind !== 'token' || done.has(target)) continue;
        if (open.has(target)) this.#refuse('recursion', use.span, use.name, { related: [target.name.span] });
        else {
          open.set(target, stack.length);
          stack.push({ terminal: target, next: 0 });
        }
      }
    }
  }
}

/** Why the engine refuses a token in angle brackets where it asks for one; `undefined` for one that it takes. */
export function tokenRefusal(text: string): 'name' | 'negated-any' | 'range' | 'large' | 'empty' | undefined {
  if (!text.startsWith('<[') || !text.endsWith(']>')) return ENGINE_TOKEN_NAMES.has(text) ? undefined : 'name';
  let list = text.slice(2, -2);
  const negated = list.startsWith('^');
  if (negated) list = list.slice(1);
  if (list === '*') return negated ? 'negated-any' : undefined;
  const ranges = list.split(',').filter((range) => range.trim() !== '');
  for (const range of ranges) {
    const ends = range.split('-').map((end) => end.trim());
    const numbers = ends.map((end) => (/^\+?[0-9]+$/.test(end) ? Number(end) : Number.NaN));
    const [first, last = first] = numbers as [number, number | undefined];
    if (ends.length > 2 || Number.isNaN(first) || Number.isNaN(last) || first > last!) return 'range';
    if (last! > ENGINE_LAST_TOKEN) return 'large';
  }
  return ranges.length === 0 ? 'empty' : undefined;
}

function singleAtom(body: EngineExpansions): EngineAtom | undefined {
  const [alternative] = body.items;
  if (body.items.length !== 1 || alternative!.conjuncts.length !== 1 || alternative!.condition !== undefined)
    return undefined;
  // The engine drops an operator here.
  return alternative!.conjuncts[0]!.length === 1 ? alternative!.conjuncts[0]![0]!.atom : undefined;
}

/** What in a body depends on the parameter of its rule. */
function needsParameter(body: EngineExpansions): Span | undefined {
  const open: EngineAlternative[] = [...body.items];
  for (let alternative = open.pop(); alternative !== undefined; alternative = open.pop()) {
    if (alternative.condition !== undefined) return alternative.condition;
    for (const { atom, range } of alternative.conjuncts.flat()) {
      if (range?.most === 0) continue;
      if (atom.kind === 'parameter' && atom.needs) return atom.span;
      if (atom.kind === 'group' || atom.kind === 'optional') open.push(...atom.body.items);
    }
  }
  return undefined;
}

/** The engine's words for what may not stand in a terminal. */
export function inTerminalMessage(kind: string): ReturnType<typeof t> {
  switch (kind) {
    case 'special':
      return t('Special tokens cannot stand in a terminal.');
    case 'json':
      return t('%json cannot stand in a terminal; put it into a rule.');
    case 'nested':
      return t('%lark cannot stand in a terminal; put it into a rule.');
    case 'grammarName':
      return t('A grammar behind @ cannot stand in a terminal; put it into a rule.');
    default:
      return t('A rule with a parameter cannot stand in a terminal.');
  }
}
