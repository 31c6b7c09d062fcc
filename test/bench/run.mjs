// `npm run bench` prints how long things take as ratios, each measured in one run on one machine: medians of runs that
// alternate between ToolSpec and what it is held against. TOOLSPEC_CORPUS names a folder with more tool files.
// `npm run bench -- growth start` runs those two only.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { measureActivation } from './activation.mjs';
import { measureContract } from './contract.mjs';
import { measureEngine } from './engine.mjs';
import { compactToolFile, toolFile } from './generate.mjs';
import { measureGrammars } from './grammar.mjs';
import { measureHandlers } from './handlers.mjs';
import { medians, missed, ms, report } from './measure.mjs';
import { measurePanel } from './panel.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bundle = path.join(root, 'out/bench/core.cjs');
await build({
  entryPoints: [path.join(root, 'test/bench/core.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
});
const require = createRequire(import.meta.url);
const core = require(bundle);

/** Compiles every tool of a text, from the text on. */
function compileAll(/** @type {string} */ text) {
  let bytes = 0;
  for (const tool of core.readTools(core.parseJson(text), { baseName: 'bench' }).tools) {
    bytes += core.compileTool(tool, core.DEFAULT_CODEX_PROFILE)?.text.length ?? 0;
  }
  return bytes;
}

async function compileAgainstParse(/** @type {string} */ name, /** @type {readonly string[]} */ texts) {
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const [ours, plain] = await medians(
    15,
    () => texts.map(compileAll),
    () => texts.map((text) => JSON.stringify(JSON.parse(text))),
  );
  const detail = `${ms(ours)} against ${ms(plain)} for ${size.toLocaleString('en-US')} characters`;
  report(`compile / JSON.parse + stringify, ${name}`, ours / plain, 5, detail);
}

async function editAgainstValidation() {
  const { getLanguageService, TextDocument } = require('vscode-json-languageservice');
  const text = toolFile(1000);
  const uri = 'file:///bench.tools.json';
  const schema = JSON.parse(readFileSync(path.join(root, 'schemas/tool.schema.json'), 'utf8'));
  const service = getLanguageService({});
  service.configure({ validate: true, schemas: [{ uri: 'toolspec:tools', fileMatch: ['*.tools.json'], schema }] });
  const checker = core.createChecker();
  checker.check({ uri, text });
  // Each round edits another tool, as people do, and starts from the text of the round before.
  const places = [...text.matchAll(/"description": "/g)].map((match) => match.index + match[0].length);
  let edited = text;
  let round = 0;
  const [ours, theirs] = await medians(
    15,
    () => {
      const place = (places[(round++ * 131) % places.length] ?? 0) + round - 1;
      edited = `${edited.slice(0, place)}x${edited.slice(place)}`;
      return checker.check({ uri, text: edited });
    },
    async () => {
      const document = TextDocument.create(uri, 'json', round, edited);
      return service.doValidation(document, service.parseJSONDocument(document), undefined, schema);
    },
  );
  const detail = `${ms(ours)} against ${ms(theirs)}`;
  report('edit among 1,000 tools / full JSON validation', ours / theirs, 0.5, detail);
}

async function growth() {
  const small = toolFile(100);
  const large = toolFile(10_000);
  const check = (/** @type {string} */ text) => core.createChecker().check({ uri: 'file:///bench.tools.json', text });
  const [hundred] = await medians(25, () => check(small));
  const [many] = await medians(3, () => check(large));
  const detail = `${ms(hundred)} and ${ms(many)}: 1.00 is linear`;
  report('10,000 tools / 100 times 100 tools', many / (100 * hundred), 1.5, detail);
}

async function start() {
  const run = (/** @type {string[]} */ ...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
  const [check, version, node] = await medians(
    15,
    () => run('dist/cli.js', 'check', 'samples/shop.mcp.tools.json'),
    () => run('dist/cli.js', '--version'),
    () => run('-e', '0'),
  );
  report('start of check / node -e 0', check / node, 3, `${ms(check)} against ${ms(node)}`);
  report('start of --version / node -e 0', version / node, 3, `${ms(version)} against ${ms(node)}`);
}

/** @type {Record<string, () => Promise<void>>} */
const measurements = {
  async compile() {
    await compileAgainstParse('compact', [compactToolFile(1000)]);
    await compileAgainstParse('laid out', [toolFile(1000)]);
    const corpus = process.env['TOOLSPEC_CORPUS'];
    if (corpus === undefined) return;
    const files = readdirSync(corpus).filter((name) => name.endsWith('.json'));
    const texts = files.map((name) => readFileSync(path.join(corpus, name), 'utf8'));
    await compileAgainstParse(`${files.length} files`, texts);
  },
  edit: editAgainstValidation,
  growth,
  start,
  grammar: () => measureGrammars(core),
  engine: measureEngine,
  handlers: measureHandlers,
  contract: () => measureContract(core),
  panel: measurePanel,
  activation: measureActivation,
};

if (!existsSync(path.join(root, 'dist/cli.js'))) {
  console.error('Build first: npm run build');
  process.exit(2);
}
const chosen = process.argv.slice(2);
for (const [name, measure] of Object.entries(measurements)) {
  if (chosen.length === 0 || chosen.includes(name)) await measure();
}
if (missed() > 0) console.log(`\n${missed()} of the goals missed.`);
