import type { CompiledTerminal } from './compiled';
import { type Language, Languages, UNKNOWN, type Unknown } from './regex/automaton';
import { sample } from './regex/charSet';
import { parsePythonRegex } from './regex/parsePython';
import type { RegexNode } from './regex/tree';

/** Texts of the terminals of one grammar, found on automata: samples, and what a text that is begun can become. */
export class TerminalTexts {
  readonly #languages = new Languages();
  readonly #known = new Map<CompiledTerminal, Language | undefined>();
  readonly #samples = new Map<CompiledTerminal, readonly string[]>();

  /** @param seed decides which samples are found beside the shortest */
  constructor(readonly seed = 1) {}

  #language(terminal: CompiledTerminal): Language | undefined {
    if (this.#known.has(terminal)) return this.#known.get(terminal);
    const result = terminal.declared ? undefined : parsePythonRegex(terminal.regexp);
    const language = result?.tree === undefined ? UNKNOWN : this.#languages.ofTree(result.tree);
    const found = language === UNKNOWN ? undefined : language;
    this.#known.set(terminal, found);
    return found;
  }

  /**
   * Texts of the terminal, the shortest first; none when they cannot be found. Where back-references or look-around play
   * a part they are guesses, which a parser has to confirm.
   */
  samples(terminal: CompiledTerminal): readonly string[] {
    let samples = this.#samples.get(terminal);
    if (samples === undefined) {
      samples = this.#find(terminal);
      this.#samples.set(terminal, samples);
    }
    return samples;
  }

  #find(terminal: CompiledTerminal): readonly string[] {
    if (isPlainString(terminal)) return [terminal.pattern.value];
    const language = this.#language(terminal);
    const found = language === undefined ? UNKNOWN : this.#languages.samples(language, { count: 8, seed: this.seed });
    // With look-around the automaton, which sees nothing around the text, may have none.
    if (found === UNKNOWN || found.length === 0) return guessedSamples(terminal);
    return found.filter((text) => text.length > 0);
  }

  /**
   * What makes a begun text complete in the shortest way; empty where it is complete and can be longer, `undefined`
   * where the terminal cannot go on with it, and `UNKNOWN` where that cannot be told.
   */
  growth(terminal: CompiledTerminal, begun: string): string | undefined | Unknown {
    if (isPlainString(terminal)) {
      const { value } = terminal.pattern;
      return value.length > begun.length && value.startsWith(begun) ? value.slice(begun.length) : undefined;
    }
    if (begun === '') return this.samples(terminal)[0] ?? UNKNOWN;
    const language = this.#language(terminal);
    if (language === undefined || this.#languages.isEmpty(language) !== false) return UNKNOWN;
    const rest = this.#languages.completion(language, begun);
    if (rest !== '') return rest;
    // It is complete as it stands; something must still fit behind it.
    const characters = this.#languages.nextCharacters(language, begun);
    if (characters === UNKNOWN) return UNKNOWN;
    return characters.length === 0 ? undefined : '';
  }
}

/** Samples of an expression that no automaton can read: written out of its tree. */
function guessedSamples(terminal: CompiledTerminal): readonly string[] {
  const tree = terminal.declared ? undefined : parsePythonRegex(terminal.regexp).tree;
  if (tree === undefined) return [];
  const out = new Set<string>();
  for (let choice = 0; choice < 4; choice++) {
    const text = written(tree.root, choice, new Map());
    if (text !== '') out.add(text);
  }
  return [...out];
}

/** A text along a node; nesting is bounded by the regex parser. */
function written(node: RegexNode, choice: number, groups: Map<number, string>): string {
  switch (node.kind) {
    case 'set':
      return node.set.length === 0 ? '' : String.fromCodePoint(sample(node.set));
    case 'sequence':
      return node.items.map((item) => written(item, choice, groups)).join('');
    case 'alternation':
      return written(node.items[choice % node.items.length]!, choice, groups);
    case 'group': {
      const text = written(node.body, choice, groups);
      if (node.capture !== undefined) groups.set(node.capture, text);
      return text;
    }
    case 'repeat':
      return written(node.body, choice, groups).repeat(
        Math.min(Math.max(node.min, choice > 1 ? 1 : 0), node.max, 1000),
      );
    case 'reference':
      return groups.get(node.group) ?? '';
    case 'conditional': {
      const branch = groups.has(node.group) ? node.yes : node.no;
      return branch === undefined ? '' : written(branch, choice, groups);
    }
    default:
      return '';
  }
}

function isPlainString(terminal: CompiledTerminal): boolean {
  return terminal.pattern.kind === 'string' && terminal.pattern.flags.size === 0 && !terminal.declared;
}
