import { CHARACTER_NAMES, nameOfText } from './literals';
import { patternKey } from './patterns';
import { type Pattern, type Place, Sym } from './tree';

/** A terminal with its pattern, while the list is put together. */
export interface TerminalDraft {
  readonly name: string;
  /** `undefined` for what is only declared. */
  readonly pattern: Pattern | undefined;
  readonly priority: number;
  readonly place: Place | undefined;
}

/** Gives names to the literals in rules: those of equal terminals, or new ones (Lark 1.3.1, `PrepareAnonTerminals`). */
export class AnonymousTerminals {
  readonly #names: Set<string>;
  readonly #byPattern = new Map<string, string>();
  #count = 0;

  constructor(readonly terminals: TerminalDraft[]) {
    const defined = terminals.filter(({ pattern }) => pattern !== undefined);
    this.#names = new Set(defined.map(({ name }) => name));
    for (const { name, pattern } of defined) this.#byPattern.set(patternKey(pattern!), name);
  }

  symbol(pattern: Pattern, keepAllTokens: boolean): Sym {
    const key = patternKey(pattern);
    const name = this.#byPattern.get(key) ?? this.#new(pattern, key);
    return new Sym(name, true, pattern.kind === 'string' && !keepAllTokens, pattern.place);
  }

  #new(pattern: Pattern, key: string): string {
    let name: string | undefined;
    if (pattern.kind === 'string') {
      name = CHARACTER_NAMES.get(pattern.value) ?? nameOfText(pattern.value);
      if (name !== undefined && this.#names.has(name)) name = undefined;
    }
    name ??= `__ANON_${this.#count++}`;
    this.#names.add(name);
    this.#byPattern.set(key, name);
    this.terminals.push({ name, pattern, priority: 0, place: pattern.place });
    return name;
  }
}
