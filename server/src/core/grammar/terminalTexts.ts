import type { CompiledTerminal } from './compiled';
import { TerminalMatcher } from './lexer/matcher';
import { type Language, Languages, UNKNOWN } from './regex/automaton';
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

  /** Texts that the terminal matches, the shortest first; none when they cannot be found. */
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
    if (language === undefined) return guessedSamples(terminal);
    const found = this.#languages.samples(language, { count: 8, seed: this.seed });
    return found === UNKNOWN ? [] : found.filter((text) => text.length > 0);
  }

  /** What makes a begun text complete in the shortest way; `undefined` when the terminal cannot go on with it. */
  growth(terminal: CompiledTerminal, begun: string): string | undefined {
    if (isPlainString(terminal)) {
      const { value } = terminal.pattern;
      return value.length > begun.length && value.startsWith(begun) ? value.slice(begun.length) : undefined;
    }
    const language = this.#language(terminal);
    if (begun === '') return this.samples(terminal)[0];
    if (language === undefined) return undefined;
    const rest = this.#languages.completion(language, begun);
    if (rest === UNKNOWN || rest === undefined || rest !== '') return rest === UNKNOWN ? undefined : rest;
    // It is complete as it stands; something must still fit behind it.
    const characters = this.#languages.nextCharacters(language, begun);
    return characters === UNKNOWN || characters.length === 0 ? undefined : '';
  }
}

/** Samples of an expression that no automaton can read (back-references): written out of its tree, and tested. */
function guessedSamples(terminal: CompiledTerminal): readonly string[] {
  const tree = terminal.declared ? undefined : parsePythonRegex(terminal.regexp).tree;
  const matcher = tree === undefined ? undefined : TerminalMatcher.ofTree(terminal, 0, tree);
  if (!(matcher instanceof TerminalMatcher)) return [];
  const out = new Set<string>();
  for (let choice = 0; choice < 4; choice++) {
    const text = written(tree!.root, choice, new Map());
    if (text !== '' && matcher.match(text, 0) === text.length) out.add(text);
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
