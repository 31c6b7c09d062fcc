import path from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { filesBelow, read, readJson } from './sources';

interface Import {
  from: string;
  specifier: string;
  /** The imported file, for a relative import. */
  target?: string;
}

const sources = filesBelow('.', /^(?:(?:client|server)\/src|client\/webview)\/.*\.ts$/);
const known = new Set(sources);

function importsOf(file: string): Import[] {
  const text = read(file);
  const statements = text.matchAll(/^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  return [...statements, ...dynamic].map((match) => {
    const specifier = match[1] ?? '';
    if (!specifier.startsWith('.')) return { from: file, specifier };
    const plain = path.posix.join(path.posix.dirname(file), specifier);
    return { from: file, specifier, target: known.has(`${plain}.ts`) ? `${plain}.ts` : plain };
  });
}

const imports = sources.flatMap(importsOf);
const show = ({ from, specifier }: Import) => `${from} imports ${specifier}`;
const offenders = (test: (each: Import) => boolean) => imports.filter(test).map(show);
const inside = (folder: string) => (file: string | undefined) => file?.startsWith(folder) ?? false;
const inCore = inside('server/src/core/');

/** The layers of the core, lowest first: a module may import its own folder and lower layers. */
const LAYERS = [
  ['text'],
  ['profiles'],
  ['config'],
  ['tools', 'schema', 'grammar', 'wire', 'budget', 'search', 'calls'],
  ['rules'],
  ['check', 'checkGrammar', 'checkSamples', 'runSamples', 'fuzzTools', 'workspace'],
];

/** What a folder of the middle layer may import out of that layer, beside itself. */
const BESIDE: Record<string, string[]> = {
  wire: ['tools', 'schema'],
  budget: ['tools', 'schema'],
  search: ['tools', 'schema', 'wire'],
  calls: ['tools', 'schema', 'grammar', 'wire', 'search'],
};

/** The files of the server that the client may import: types and constants. */
const PROTOCOLS = [
  'server/src/protocol.ts',
  'server/src/panelProtocol.ts',
  'server/src/samplesProtocol.ts',
  'server/src/sourcesProtocol.ts',
];

/** Packages that the core may use, and the files that may use them. */
const CORE_PACKAGES: Record<string, RegExp> = {
  'jsonc-parser': /^text\/json[A-Za-z]*\.ts$/,
  ajv: /^schema\/validate[A-Za-z]*\.ts$/,
  'ajv-formats': /^schema\/validate[A-Za-z]*\.ts$/,
  re2js: /^schema\/[A-Za-z]+\.ts$/,
  'snowball-stemmers': /^search\/[A-Za-z]+\.ts$/,
  'gpt-tokenizer': /^budget\/tokens[A-Za-z0-9]*\.ts$/,
};

const areaOf = (file: string) => /^server\/src\/core\/([^/.]+)/.exec(file)?.[1] ?? '';
const layerOf = (area: string) => LAYERS.findIndex((layer) => layer.includes(area));
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const distance = layerOf(from) - layerOf(to);
  return (
    distance > 0 || (distance === 0 && (layerOf(from) !== layerOf('tools') || (BESIDE[from]?.includes(to) ?? false)))
  );
}

describe('imports', () => {
  test('every relative import names a file of the project, without an extension', () => {
    expect(
      offenders(
        ({ target, specifier }) =>
          target !== undefined && !specifier.endsWith('.css') && (!known.has(target) || /\.[jt]s$/.test(specifier)),
      ),
    ).toEqual([]);
  });

  test('every area of the core has a layer', () => {
    const areas = new Set(sources.filter(inCore).map(areaOf));
    expect([...areas].filter((area) => layerOf(area) < 0)).toEqual([]);
  });

  test('core imports go downwards', () => {
    const upwards = ({ from, target }: Import) =>
      inCore(from) && target !== undefined && !(inCore(target) && mayImport(areaOf(from), areaOf(target)));
    expect(offenders(upwards)).toEqual([]);
  });

  test('core uses few packages, each in its own place', () => {
    const misplaced = ({ from, specifier, target }: Import) =>
      inCore(from) &&
      target === undefined &&
      !CORE_PACKAGES[packageOf(specifier)]?.test(from.slice('server/src/core/'.length));
    expect(offenders(misplaced)).toEqual([]);
  });

  test('the language server and the command line do not know each other, and nobody imports an entry', () => {
    const lsp = inside('server/src/lsp/');
    const cli = inside('server/src/cli/');
    const host = inside('server/src/host/');
    const entry = (file: string | undefined) => /^server\/src\/host\/(?:node|browser)[A-Z]\w*\.ts$/.test(file ?? '');
    // The server also runs where there is no Node, so it gets its files from whoever starts it.
    expect(offenders(({ from, target }) => lsp(from) && (cli(target) || host(target)))).toEqual([]);
    expect(offenders(({ from, target }) => cli(from) && (lsp(target) || entry(target)))).toEqual([]);
    expect(offenders(({ from, target }) => host(from) && !entry(from) && (lsp(target) || cli(target)))).toEqual([]);
    expect(offenders(({ target }) => entry(target))).toEqual([]);
  });

  test('only the client imports vscode, and of the server only the protocol', () => {
    expect(offenders(({ from, specifier }) => specifier === 'vscode' && !from.startsWith('client/'))).toEqual([]);
    expect(
      offenders(
        ({ from, target }) =>
          from.startsWith('client/') && inside('server/')(target) && !PROTOCOLS.includes(target ?? ''),
      ),
    ).toEqual([]);
    expect(offenders(({ from, target }) => from.startsWith('server/') && inside('client/')(target))).toEqual([]);
  });

  test('the protocol has types and constants only', () => {
    const runtime = ({ from, specifier }: Import) =>
      PROTOCOLS.includes(from) &&
      !new RegExp(`import type [^;]*'${specifier.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')}'`).test(read(from));
    expect(offenders(runtime)).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const graph = new Map(sources.map((file) => [file, new Set<string>()]));
    for (const { from, target } of imports) if (target !== undefined && known.has(target)) graph.get(from)?.add(target);
    // Files that import nothing, or that nothing imports, are taken away until none is left. Cycles remain.
    for (let shrinking = true; shrinking; ) {
      shrinking = false;
      const wanted = new Set([...graph.values()].flatMap((targets) => [...targets]));
      for (const [file, targets] of graph) {
        if (wanted.has(file) && [...targets].some((each) => graph.has(each))) continue;
        graph.delete(file);
        shrinking = true;
      }
    }
    expect([...graph.keys()]).toEqual([]);
  });
});

describe('modules', () => {
  test('there are no default exports', () => {
    expect(sources.filter((file) => /^export default\b|\bas default\b/m.test(read(file)))).toEqual([]);
  });

  test('there are no barrels but the core facade', () => {
    const isBarrel = (file: string) => {
      const code = transformSync(read(file), {
        loader: 'ts',
        format: 'esm',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      }).code;
      const statements = code.split('\n').filter((line) => line.trim() !== '');
      return (
        statements.some((line) => /^export \* from/.test(line)) ||
        (statements.length > 0 && /^(?:\s*export \{[^}]*\} from "[^"]+";\s*)+$/.test(code))
      );
    };
    expect(sources.filter((file) => file !== 'server/src/core/check.ts' && isBarrel(file))).toEqual([]);
  });

  test('core has no IO, no clock, no chance and no locale', () => {
    const forbidden =
      /\b(?:console|process|globalThis|performance|setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\s*[.(]|\bnew Date\b|\bDate\.|\bMath\.random\b|\bcrypto\.|\.toLocale\w+\(|\.localeCompare\(|\bIntl\./;
    const found = sources.filter(inCore).flatMap((file) => {
      // Types and comments go; what is left is what runs.
      const { code } = transformSync(read(file), { loader: 'ts' });
      return code.split('\n').flatMap((line) => {
        const word = forbidden.exec(line)?.[0];
        return word ? [`${file}: ${word}`] : [];
      });
    });
    expect(found).toEqual([]);
  });

  test('the compiler knows neither Node nor the DOM in core', () => {
    const base = readJson<{ compilerOptions: { lib: string[]; types: string[] } }>(
      'tsconfig.base.json',
    ).compilerOptions;
    const core = readJson<{ compilerOptions: object; references?: unknown[] }>('server/tsconfig.core.json');
    expect(base).toMatchObject({ lib: ['ES2023'], types: [] });
    expect(Object.keys(core.compilerOptions)).not.toContain('lib');
    expect(Object.keys(core.compilerOptions)).not.toContain('types');
    expect(core.references).toBeUndefined();
  });
});
