import { readFileSync } from 'node:fs';
import path from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import { root } from '../tidy/sources';

/** A piece of a text with its scopes, the grammar's own left out. */
export interface ScopedToken {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly scopes: readonly string[];
}

const FILES: ReadonlyMap<string, string> = new Map([
  ['source.lark', 'syntaxes/lark.tmLanguage.json'],
  ['source.lark.embedded.json', 'syntaxes/lark-in-json.tmLanguage.json'],
  ['source.json', 'test/fixtures/syntaxes/json.tmLanguage.json'],
]);

/** Grammars as the editor loads them, with what is injected into them. */
export async function loadGrammar(scope: string): Promise<IGrammar> {
  const wasm = readFileSync(path.join(root, 'node_modules/vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) => {
      const file = FILES.get(name);
      return file === undefined ? null : textmate.parseRawGrammar(readFileSync(path.join(root, file), 'utf8'), file);
    },
    getInjections: (name) => (name === 'source.json' ? ['source.lark.embedded.json'] : undefined),
  });
  const grammar = await registry.loadGrammar(scope);
  if (grammar === null) throw new Error(`No grammar has the scope ${scope}.`);
  return grammar;
}

/** The tokens of a text, with offsets into it. */
export function tokensOf(grammar: IGrammar, text: string): ScopedToken[] {
  const tokens: ScopedToken[] = [];
  let state = textmate.INITIAL;
  let offset = 0;
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const end = Math.min(endIndex, line.length);
      if (end <= startIndex) continue;
      const piece = { start: offset + startIndex, end: offset + end, text: line.slice(startIndex, end) };
      tokens.push({ ...piece, scopes: scopes.slice(1) });
    }
    offset += line.length + 1;
  }
  return tokens;
}

/** Texts and their innermost scopes, blanks left out: `start entity.name.function.rule.lark`. */
export function shown(tokens: readonly ScopedToken[]): string[] {
  return tokens
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, scopes }) => `${text.trim()} ${scopes.at(-1) ?? '-'}`);
}
