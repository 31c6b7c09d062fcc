// Builds every bundle. `node esbuild.mjs` makes the shipped ones (minified, no source maps); `--dev` makes readable
// ones with source maps. The build fails when a bundle is larger than its budget: start-up time follows size.
import { appendFile, chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeNotices } from './scripts/notices.mjs';
import { tokenModule } from './scripts/tokenTables.mjs';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const dev = process.argv.includes('--dev');
const KB = 1024;

/**
 * One entry per bundle: where it starts, what stays outside, and the most it may weigh, minified, in bytes. About
 * 330 KB of the server and of the command line are the Lark engine: readers of two dialects, two parsers, a model of two
 * dialects of regular expressions with their automata, and the rules on top. The command line runs none of it before a
 * grammar is met.
 */
const bundles = [
  // The extension in two stages: what the editor loads at once, and what that loads in a turn of its own.
  { name: 'client', entry: 'client/src/main.node.ts', external: [], budget: 2 * KB, loads: 'require' },
  {
    name: 'extension',
    entry: 'client/src/extension.node.ts',
    external: ['vscode'],
    budget: 120 * KB,
    loads: 'require',
  },
  { name: 'server', entry: 'server/src/host/nodeServer.ts', external: [], budget: 1400 * KB },
  { name: 'cli', entry: 'server/src/host/nodeCli.ts', external: [], budget: 1300 * KB, banner: '#!/usr/bin/env node' },
  // The page of the panel: a web page, with its style sheet and the font of the icons beside it.
  { name: 'panel/panel', entry: 'client/webview/main.ts', external: [], budget: 300 * KB, page: true },
  { name: 'engineWorker', entry: 'server/src/host/engine/nodeWorker.ts', external: [], budget: 2 * KB },
  // What that runs, and what runs by itself in a worker of a browser.
  {
    name: 'browserEngineWorker',
    entry: 'server/src/host/engine/browserWorker.ts',
    external: [],
    budget: 260 * KB,
    worker: true,
  },
  // The extension and its server in a browser, where the server is a worker.
  { name: 'web/client', entry: 'client/src/main.browser.ts', external: ['vscode'], budget: 520 * KB, web: true },
  { name: 'web/server', entry: 'server/src/host/browserServer.ts', external: [], budget: 1700 * KB, worker: true },
  { name: 'handlerHost', entry: 'server/src/host/handlers/handlerHost.ts', external: [], budget: 10 * KB },
  { name: 'mcpClient', entry: 'server/src/host/handlers/mcpClient.ts', external: [], budget: 280 * KB },
  { name: 'tokens', entry: 'server/src/core/budget/tokensO200k.ts', external: [], budget: 1700 * KB },
];

/** The provider's grammar engine, built by `npm run build:engine`, with the licences of what is linked in. */
const engine = { built: 'server/engine/llguidance.wasm', licenses: 'server/engine/llguidance.licenses.txt' };

const NETWORK_MODULES = /^(?:node:)?(?:net|tls|dgram|dns|http|https|http2|inspector)(?:\/.*)?$/;

/**
 * Nothing leaves the machine. The protocol library loads `net` for transports that are not used here (pipes and
 * sockets; ours are IPC and stdio), so its `net` becomes an empty module. Any other import of a network module fails
 * the build.
 */
const withoutNetwork = {
  name: 'without-network',
  setup(context) {
    context.onResolve({ filter: NETWORK_MODULES }, ({ path, importer }) => {
      const unused =
        path === 'net' && /node_modules\/vscode-(?:jsonrpc|languageclient|languageserver)\//.test(importer);
      if (!unused) return { errors: [{ text: `${path} reaches the network, which no bundle may do` }] };
      return { path, namespace: 'without-network' };
    });
    context.onLoad({ filter: /.*/, namespace: 'without-network' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Search stems English words only. The package with the stemmer has those of 23 more languages in the same file, three
 * hundred kilobytes of them, which no bundle needs.
 */
const englishStemmer = {
  name: 'english-stemmer',
  setup(context) {
    context.onLoad({ filter: /[\\/]snowball-stemmers\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const other =
        /^ {4}var (?!english)\w+Stemmer = function \(_SnowballStemmer\d*\) \{\n[\s\S]*?^ {4}\}\(SnowballStemmer\);\n/gm;
      const entry = /^ {12}(?!english)\w+: \w+Stemmer,?\n/gm;
      const contents = text.replace(other, '').replace(entry, '');
      if (contents.length > text.length / 8) return { errors: [{ text: `${path} has another form than expected` }] };
      return { contents };
    });
  },
};

/**
 * The client of MCP servers stays in a bundle of its own, which the others load when a server is met. Its validator of
 * JSON Schema is left out: ToolSpec gives it another one, and has its own for results.
 */
const mcpClientApart = {
  name: 'mcp-client-apart',
  setup(context) {
    context.onResolve({ filter: /^\.\/mcpClient$/ }, () => ({ path: './mcpClient.js', external: true }));
    context.onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'shims',
    }));
    context.onLoad({ filter: /.*/, namespace: 'shims' }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
    }));
  },
};

/** The tables of the tokenizer stay in a bundle of their own, which the others load when tokens are to be counted. */
const tokensApart = {
  name: 'tokens-apart',
  setup(context) {
    context.onResolve({ filter: /\/tokensO200k$/ }, () => ({ path: './tokens.js', external: true }));
  },
};

/** The tables of the tokenizer are a third of the package as they come. */
const smallTokens = {
  name: 'small-tokens',
  setup(context) {
    context.onLoad({ filter: /[\\/]bpeRanks[\\/]o200k_base\.js$/ }, async ({ path }) => {
      const { default: tokens } = await import(path);
      return { contents: tokenModule(tokens) };
    });
  },
};

/** The engine's worker is one bundle for Node and for browsers. */
const engineApart = {
  name: 'engine-apart',
  setup(context) {
    context.onResolve({ filter: /^\.\/browserWorker$/ }, () => ({ path: './browserEngineWorker.js', external: true }));
  },
};

/** What judges arguments by a schema. It stays in a bundle of its own, which the others load when a call is judged. */
const VALIDATOR = {
  name: 'validator',
  stdin: {
    contents: `
      export { Ajv2020 } from 'ajv/dist/2020.js';
      export { fullFormats } from 'ajv-formats/dist/formats.js';
      export { RE2JS } from 're2js';`,
    resolveDir: '.',
  },
  external: [],
  budget: 320 * KB,
};

const validatorApart = {
  name: 'validator-apart',
  setup(context) {
    context.onResolve({ filter: /^(?:ajv\/dist\/2020\.js|ajv-formats\/dist\/formats\.js|re2js)$/ }, ({ importer }) =>
      importer === '<stdin>' ? undefined : { path: './validator.js', external: true },
    );
  },
};

/** The library of language clients, which the extension loads when it starts the server. */
const LANGUAGE_CLIENT = {
  name: 'languageClient',
  // Names one by one: what nobody uses stays out.
  stdin: {
    contents: `
      export { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, TransportKind }
        from 'vscode-languageclient/node';`,
    resolveDir: '.',
  },
  external: ['vscode'],
  budget: 460 * KB,
};

const languageClientApart = {
  name: 'language-client-apart',
  setup(context) {
    context.onResolve({ filter: /^vscode-languageclient(?:\/node)?$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './languageClient.js', external: true } : undefined,
    );
  },
};

/** The second stage of the extension stays in a bundle of its own, which the first one loads. */
const stagesApart = {
  name: 'stages-apart',
  setup(context) {
    context.onResolve({ filter: /^\.\/extension\.node$/ }, () => ({ path: './extension.js', external: true }));
  },
};

async function bundle({ name, entry, stdin, external, banner, page, worker, loads, web = page || worker }) {
  const result = await build({
    ...(stdin === undefined ? { entryPoints: [entry] } : { stdin }),
    outfile: `dist/${name}.js`,
    bundle: true,
    platform: web ? 'browser' : 'node',
    // CommonJS: VS Code loads extensions with `require`. A dynamic `import()` in the source becomes a module that is
    // only run on first use, which is how the command line keeps its start short in a single file.
    format: page ? 'esm' : worker ? 'iife' : 'cjs',
    target: web ? 'es2022' : 'node20',
    external,
    // In VS Code, `import()` of another bundle goes through a loader of its own, which costs more than the bundle.
    supported: loads === 'require' ? { 'dynamic-import': false } : {},
    // jsonc-parser's `main` is a UMD file whose inner `require` calls esbuild cannot follow.
    mainFields: web ? ['browser', 'module', 'main'] : ['module', 'main'],
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    // Tables of words are a tenth larger with every letter beyond ASCII spelled out.
    charset: 'utf8',
    minify: !dev,
    sourcemap: dev,
    legalComments: 'none', // Licence texts stand in THIRD_PARTY_NOTICES.txt.
    banner: banner ? { js: banner } : {},
    define: { TOOLSPEC_VERSION: JSON.stringify(version) },
    // A worker of a browser loads no bundle beside its own.
    plugins: [
      withoutNetwork,
      englishStemmer,
      mcpClientApart,
      tokensApart,
      smallTokens,
      engineApart,
      ...(worker ? [] : [validatorApart]),
      ...(web ? [] : [languageClientApart, stagesApart]),
    ],
    metafile: true,
    logLevel: 'warning',
  });
  await writeFile(`out/meta/${name.replace('/', '.')}.json`, JSON.stringify(result.metafile));
  return { name, bytes: result.metafile.outputs[`dist/${name}.js`].bytes, inputs: Object.keys(result.metafile.inputs) };
}

await mkdir('dist', { recursive: true });
await mkdir('out/meta', { recursive: true });
// A failed build has been reported by esbuild itself; its stack adds nothing.
const built = await Promise.all([...bundles, VALIDATOR, LANGUAGE_CLIENT].map(bundle)).catch(() => process.exit(1));
await writeNotices(
  built.flatMap((each) => each.inputs),
  'dist/THIRD_PARTY_NOTICES.txt',
);
await copyFile(engine.built, 'dist/llguidance.wasm');
await appendFile('dist/THIRD_PARTY_NOTICES.txt', `\n${'-'.repeat(80)}\n\n${await readFile(engine.licenses, 'utf8')}`);
await chmod('dist/cli.js', 0o755);

// What an earlier build left behind must not get into the package.
const current = new Set([
  'THIRD_PARTY_NOTICES.txt',
  'llguidance.wasm',
  'toolspec.vsix',
  'panel',
  'web',
  ...[...bundles, VALIDATOR, LANGUAGE_CLIENT].flatMap(({ name }) =>
    dev ? [`${name}.js`, `${name}.js.map`] : [`${name}.js`],
  ),
]);
for (const file of await readdir('dist')) {
  if (!current.has(file)) await rm(`dist/${file}`, { recursive: true });
}

let failed = false;
for (const { name, bytes } of built) {
  const { budget } = [...bundles, VALIDATOR, LANGUAGE_CLIENT].find((each) => each.name === name);
  const over = !dev && bytes > budget;
  failed ||= over;
  console.log(
    `dist/${name}.js  ${bytes.toLocaleString('en-US')} bytes` +
      (dev ? '' : ` of ${budget.toLocaleString('en-US')}${over ? '  OVER BUDGET' : ''}`),
  );
}
if (failed) {
  console.error('A bundle is over its budget. Look at out/meta/*.json for what came in, or argue for a new budget.');
  process.exit(1);
}
