import { SeededRandom } from '../../grammar/random';
import type { JsonNode } from '../../text/json';
import { walkJson } from '../../text/jsonTree';
import { type Message, render, t } from '../../text/message';
import { argumentChanges, changeArguments } from './changeValue';
import type { InputSource, MadeInput } from './model';
import { numberChoices, type ScalarChoice, stringChoices } from './scalars';
import {
  countBound,
  declaredProperties,
  keyword,
  openArms,
  type SchemaType,
  type SchemaView,
  tellingParts,
  typesOf,
  viewOf,
  withArm,
} from './schemaView';
import { asValue, type Member, NULL, scalar, stringValue, type Value, valueText } from './value';

/** Values within values, and branches, that are looked at. */
const MOST_DEPTH = 24;
/** Values within values, and arms within arms, together. */
const MOST_NESTING = 300;
const MOST_BRANCHES = 4000;
/** Below this depth random values take the simplest branches. */
const CALM_DEPTH = 8;
/** Lists are not made longer than this for the sake of a limit. */
const MOST_ITEMS = 40;
/** Values within one value that are tried; schemas that never end would try without end. */
const MOST_STEPS = 3000;
/** So many without a new value are tried; what comes behind them is hardly worth the time. */
const MOST_IN_VAIN = 200_000;
/** Values by chance that are made in one go. */
const PER_ROUND = 32;

/** One way to go on at a place of the schema. */
interface Option {
  readonly label: ScalarChoice['label'];
  readonly kind: ScalarChoice['kind'];
  make(): Value | undefined;
}

/** Where a choice stands: the choices that lead there, by their keys, and the option to take. */
interface Target {
  readonly forced: ReadonlyMap<string, number>;
}

/**
 * Arguments out of a schema: one for each branch (type, arm, enumerated value, list length, bound, set of optional
 * properties), near misses of each constraint, then values by chance. Of optional properties none, all, and each alone
 * are given, so that of any two each combination occurs.
 */
export class SchemaInputs implements InputSource {
  readonly branches = new Map<string, Message>();
  #names: ReadonlySet<string> | undefined;
  readonly #random: SeededRandom;
  readonly #queue: Target[] = [];
  readonly #known = new Set<string>();
  readonly #texts = new Set<string>();
  /** Choices that were made on the way to the value that is being made. */
  readonly #way: (readonly [key: string, option: number])[] = [];
  #taken: string[] = [];
  #forced: ReadonlyMap<string, number> = new Map();
  #byChance = false;
  #salt = 0;
  #steps = 0;
  #nesting = 0;
  /** Steps since the last new value. */
  #inVain = 0;
  #work = 0;
  /** Where schemas cannot come to an end, by what they say: at this depth and nesting, and beyond. */
  readonly #endless = new Map<string, { readonly depth: number; readonly nesting: number }>();
  /** A value was missed for another reason than that none comes to an end. */
  #missed = false;
  readonly #numbers = new Map<JsonNode, number>();

  /** @param origin goes in front of pointers, to tell branches of several schemas apart */
  constructor(
    private readonly root: JsonNode,
    seed: number,
    private readonly origin = '',
  ) {
    this.#random = new SeededRandom(seed);
  }

  /** How many values within values were tried until now; those of schemas that are put together of many count more. */
  get work(): number {
    return this.#work;
  }

  get names(): ReadonlySet<string> {
    if (this.#names === undefined) {
      const names = new Set<string>();
      walkJson(this.root, (node) => {
        if (node.property?.key === 'properties') for (const { key } of node.properties) names.add(key);
      });
      this.#names = names;
    }
    return this.#names;
  }

  /** @param most so many branches are tried */
  *systematic(most = MOST_BRANCHES): Iterable<MadeInput> {
    this.#byChance = false;
    this.#queue.push({ forced: new Map() });
    for (let at = 0; at < this.#queue.length && at < most && this.#inVain < MOST_IN_VAIN; at++) {
      const made = this.#make(this.#queue[at]!.forced);
      if (made !== undefined) yield made;
    }
  }

  random(): readonly MadeInput[] {
    const out: MadeInput[] = [];
    this.#byChance = true;
    for (let i = 0; i < PER_ROUND && this.#inVain < MOST_IN_VAIN; i++) {
      const made = this.#make(new Map());
      if (made !== undefined) out.push(made);
    }
    return out;
  }

  changes(text: string): Iterable<string> {
    return argumentChanges(text);
  }

  change(text: string): string {
    return changeArguments(text, this.#random);
  }

  /** A value with its branches; `undefined` for one that was made before, and where none comes to an end. */
  #make(forced: ReadonlyMap<string, number>): MadeInput | undefined {
    this.#forced = forced;
    this.#taken = [];
    this.#salt = 0;
    this.#steps = 0;
    this.#missed = false;
    const value = this.#value(viewOf(this.root, this.root), 0);
    this.#work += this.#steps;
    this.#inVain += this.#steps;
    if (value === undefined) return undefined;
    const text = valueText(value);
    if (this.#texts.has(text)) return undefined;
    this.#inVain = 0;
    this.#texts.add(text);
    return { text, branches: [...new Set(this.#taken)] };
  }

  /** Takes one of the options: the one that is asked for, one by chance, or the first that comes to an end. */
  #choose(key: string, options: readonly Option[]): Value | undefined {
    this.#discover(key, options);
    const first = this.#wanted(key, options);
    for (let tries = 0; tries < options.length; tries++) {
      const index = (first + tries) % options.length;
      const option = options[index]!;
      if (tries > 0 && this.#isForced(key)) {
        this.#missed = true;
        return undefined;
      }
      if (tries > 0 && option.kind === 'beyond') continue;
      const taken = this.#taken.length;
      this.#way.push([key, index]);
      if (option.kind === 'branch') this.#taken.push(branchId(key, option));
      const value = option.make();
      this.#way.pop();
      if (value !== undefined) return value;
      this.#taken.length = taken;
    }
    return undefined;
  }

  #isForced(key: string): boolean {
    return this.#forced.has(key) && !this.#way.some(([other]) => other === key);
  }

  #wanted(key: string, options: readonly Option[]): number {
    if (this.#isForced(key)) return this.#forced.get(key)!;
    if (this.#byChance && this.#way.length < CALM_DEPTH) {
      const allowed = options.flatMap(({ kind }, i) => (kind !== 'beyond' || this.#random.below(40) === 0 ? i : []));
      return this.#random.pick(allowed) ?? 0;
    }
    return 0;
  }

  /** New choices are tried later, each option behind the way that leads here. */
  #discover(key: string, options: readonly Option[]): void {
    if (this.#known.has(key) || this.#known.size > MOST_BRANCHES) return;
    this.#known.add(key);
    const way = new Map(this.#way);
    const place = key.replace(/ \S+$/, '') || '/';
    for (const [index, option] of options.entries()) {
      if (option.kind === 'branch') this.branches.set(branchId(key, option), t('{0}: {1}', place, option.label));
      // What stands behind the last branch that is tried would only take memory.
      if (this.#queue.length < MOST_BRANCHES) this.#queue.push({ forced: new Map([...way, [key, index]]) });
    }
  }

  #value(view: SchemaView, depth: number): Value | undefined {
    if (depth > MOST_DEPTH || this.#nesting >= MOST_NESTING) return undefined;
    // Schemas that are put together of many take longer.
    this.#steps += 1 + (view.parts.length >> 4);
    if (this.#steps > MOST_STEPS) {
      this.#missed = true;
      return undefined;
    }
    const said = this.#said(view);
    const known = this.#endless.get(said);
    const isEndless = known !== undefined && depth >= known.depth && this.#nesting >= known.nesting;
    // A near miss may end where nothing else does: a list with too few items.
    if (isEndless && !this.#isOnTheWay()) return undefined;
    this.#nesting++;
    const value = this.#valueOf(view, depth);
    this.#nesting--;
    if (value === undefined && !this.#missed && !isEndless) this.#endless.set(said, { depth, nesting: this.#nesting });
    return value;
  }

  /** What a view says, as a key: the schemas that it is put together of. */
  #said(view: SchemaView): string {
    const said = tellingParts(view).map(({ node, chosen }) => {
      let number = this.#numbers.get(node);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(node, number);
      }
      return chosen ? -number - 1 : number;
    });
    return said.join();
  }

  /** Whether an option that is asked for has not been reached yet. */
  #isOnTheWay(): boolean {
    return [...this.#forced.keys()].some((key) => this.#isForced(key));
  }

  #valueOf(view: SchemaView, depth: number): Value | undefined {
    const arms = openArms(view);
    if (arms !== undefined) {
      const options = arms.arms.map(
        (arm, i): Option => ({
          label: t('arm {0} of {1}', i + 1, arms.keyword),
          kind: 'branch',
          make: () => this.#arm(withArm(view, arms, arm, this.root), depth),
        }),
      );
      return this.#choose(this.#key(view, `${arms.keyword}${view.parts.length}`), options);
    }
    const [constant] = keyword(view, 'const');
    if (constant !== undefined) {
      return this.#choose(this.#key(view, 'const'), [
        fixed(t('the constant'), 'branch', asValue(constant)),
        fixed('another value', 'beyond', stringValue('other')),
      ]);
    }
    const [listed] = keyword(view, 'enum');
    if (listed?.kind === 'array' && listed.items.length > 0)
      return this.#choose(this.#key(view, 'enum'), enumerated(listed));
    const types = typesOf(view);
    if (types.length === 1) return this.#typed(types[0]!, view, depth);
    const options = types.map(
      (type): Option => ({ label: type, kind: 'branch', make: () => this.#typed(type, view, depth) }),
    );
    return this.#choose(this.#key(view, 'type'), options);
  }

  #arm(view: SchemaView | undefined, depth: number): Value | undefined {
    if (view !== undefined) return this.#value(view, depth);
    // Where the choice that it leads back to takes another arm, there may be a value.
    this.#missed = true;
    return undefined;
  }

  #key({ pointer }: SchemaView, what: string): string {
    return `${this.origin}${pointer} ${what}`;
  }

  #typed(type: SchemaType, view: SchemaView, depth: number): Value | undefined {
    switch (type) {
      case 'object':
        return this.#object(view, depth);
      case 'array':
        return this.#array(view, depth);
      case 'string':
        return this.#scalar(view, type, stringChoices(view));
      case 'boolean': {
        const choices = ['true', 'false'].map((text) => ({
          label: text,
          kind: 'branch' as const,
          value: scalar(text),
        }));
        return this.#scalar(view, type, choices);
      }
      case 'null':
        return NULL;
      default:
        return this.#scalar(view, type, numberChoices(view, type === 'integer'));
    }
  }

  #scalar(view: SchemaView, type: string, choices: readonly ScalarChoice[]): Value | undefined {
    if (choices.length === 0) return undefined;
    const key = this.#key(view, type);
    // Items of a list without repetitions take different values.
    const fine = choices.filter(({ kind }) => kind !== 'beyond');
    if (this.#salt > 0 && !this.#isForced(key)) return fine[this.#salt % fine.length]!.value;
    return this.#choose(
      key,
      choices.map(({ label, kind, value }) => fixed(label, kind, value)),
    );
  }

  #object(view: SchemaView, depth: number): Value | undefined {
    const properties = declaredProperties(view);
    const optional = properties.filter(({ required }) => !required);
    const closed = keyword(view, 'additionalProperties').some((node) => node.boolean === false);
    const make = (has: (name: string) => boolean, extra: readonly Member[] = []): Value | undefined => {
      const members: Member[] = [];
      for (const { name, node, required } of properties) {
        if (!required && !has(name)) continue;
        const value = this.#value(viewOf(node, this.root), depth + 1);
        if (value === undefined) return undefined;
        members.push([name, value]);
      }
      return { kind: 'object', members: [...members, ...extra] };
    };
    const options: Option[] = [{ label: t('no optional properties'), kind: 'branch', make: () => make(() => false) }];
    if (optional.length > 0) options.push({ label: t('all properties'), kind: 'branch', make: () => make(() => true) });
    if (optional.length > 1) {
      for (const { name } of optional.slice(0, MOST_BRANCHES)) {
        options.push({
          label: t('only "{0}" of those that are optional', name),
          kind: 'branch',
          make: () => make((other) => other === name),
        });
      }
      options.push({ label: 'some properties', kind: 'extra', make: () => make(() => this.#random.below(2) === 0) });
    }
    options.push({
      label: 'an undeclared property',
      kind: closed ? 'beyond' : 'extra',
      make: () => make(() => false, [['extra', this.#extra(view, depth)]]),
    });
    for (const { name } of properties.filter(({ required }) => required).slice(0, MOST_BRANCHES)) {
      const without = (): Value | undefined => {
        const whole = make(() => false);
        return whole?.kind === 'object'
          ? { kind: 'object', members: whole.members.filter(([key]) => key !== name) }
          : whole;
      };
      options.push({ label: `no "${name}"`, kind: 'beyond', make: without });
    }
    return this.#choose(this.#key(view, 'object'), options);
  }

  /** A value for a property that is not declared. */
  #extra(view: SchemaView, depth: number): Value {
    const schema = keyword(view, 'additionalProperties').find(({ kind }) => kind === 'object');
    return (schema && this.#value(viewOf(schema, this.root), depth + 1)) ?? scalar('1');
  }

  #array(view: SchemaView, depth: number): Value | undefined {
    const least = countBound(view, 'minItems', 'most') ?? 0;
    const most = countBound(view, 'maxItems', 'least');
    if (least > MOST_ITEMS) return undefined;
    const unique = keyword(view, 'uniqueItems').some((node) => node.boolean === true);
    const prefix = keyword(view, 'prefixItems')[0]?.items ?? [];
    const rest = keyword(view, 'items').find(({ kind }) => kind === 'object');
    const make = (length: number, same = false): Value | undefined => {
      const items: Value[] = [];
      const salt = this.#salt;
      for (let i = 0; i < length; i++) {
        const schema = prefix[i] ?? rest;
        this.#salt = unique && !same ? i : salt;
        const item = schema === undefined ? scalar(String(i)) : this.#value(viewOf(schema, this.root), depth + 1);
        this.#salt = salt;
        if (item === undefined) return undefined;
        items.push(item);
      }
      return { kind: 'array', items };
    };
    const lengths = [least, least + 1, most ?? least + 2].filter((n, i, all) => all.indexOf(n) === i);
    const options: Option[] = lengths
      .filter((length) => length <= MOST_ITEMS && (most === undefined || length <= most))
      .map((length) => ({
        label: length === 1 ? t('1 item') : t('{0} items', length),
        kind: 'branch',
        make: () => make(length),
      }));
    if (least > 0) options.push({ label: 'too few items', kind: 'beyond', make: () => make(least - 1) });
    if (most !== undefined && most < MOST_ITEMS) {
      options.push({ label: 'too many items', kind: 'beyond', make: () => make(most + 1) });
    }
    if (unique) options.push({ label: 'an item twice', kind: 'beyond', make: () => make(Math.max(2, least), true) });
    return options.length === 0 ? undefined : this.#choose(this.#key(view, 'array'), options);
  }
}

/** Names a branch: the choice and the option of it. */
function branchId(key: string, { label }: Option): string {
  return `${key} ${typeof label === 'string' ? label : render(label)}`;
}

function fixed(label: Option['label'], kind: Option['kind'], value: Value): Option {
  return { label, kind, make: () => value };
}

function enumerated(list: JsonNode): readonly Option[] {
  const options = list.items.map((item) => fixed(valueText(asValue(item)).slice(0, 60), 'branch', asValue(item)));
  const first = list.items.find(({ kind }) => kind === 'string')?.text;
  options.push(fixed('another value', 'beyond', stringValue(first === undefined ? 'other' : `${first}x`)));
  if (first !== undefined && first.toUpperCase() !== first) {
    options.push(fixed('capitals', 'beyond', stringValue(first.toUpperCase())));
  }
  return options;
}
