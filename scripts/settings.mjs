// Writes what the manifest says about single rules: the properties of the setting `toolspec.rules` and their texts.
// `node scripts/settings.mjs` writes, `--check` fails when something would change.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url);
const LEVELS = ['off', 'hint', 'info', 'warning', 'error'];
const PREFIX = 'rules.';

/** Rules and targets out of the sources. */
async function registry() {
  const contents = `export { RULES } from './server/src/core/rules/registry';
    export { TARGETS, DEFAULT_TARGETS } from './server/src/core/profiles/targets';
    export { CODEX_PROFILES } from './server/src/core/profiles/codex';
    export { defaultLevel } from './server/src/core/rules/levels';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(root), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'neutral',
    format: 'esm',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** The two texts as they should be. */
export async function manifestTexts() {
  const { RULES, TARGETS, DEFAULT_TARGETS, CODEX_PROFILES, defaultLevel } = await registry();
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const titles = JSON.parse(readFileSync(new URL('package.nls.json', root), 'utf8'));
  const settings = Object.assign({}, ...manifest.contributes.configuration.map((each) => each.properties));

  settings['toolspec.targets'].items.enum = [...TARGETS];
  settings['toolspec.targets'].default = [...DEFAULT_TARGETS];
  settings['toolspec.profile'].enum = CODEX_PROFILES.map(({ id }) => id);
  settings['toolspec.profile'].default = CODEX_PROFILES[0].id;
  settings['toolspec.rules'].properties = Object.fromEntries(
    RULES.map(({ id }) => [id, { enum: LEVELS, markdownDescription: `%${PREFIX}${id}%` }]),
  );

  for (const key of Object.keys(titles)) if (key.startsWith(PREFIX)) delete titles[key];
  for (const rule of RULES) {
    const level = defaultLevel(rule, TARGETS);
    const summary = `${rule.summary.charAt(0).toUpperCase()}${rule.summary.slice(1)}`;
    titles[`${PREFIX}${rule.id}`] = `${summary}. Default: ${level}.`;
  }
  const print = (value) => `${JSON.stringify(value, null, 2)}\n`;
  return { 'package.json': print(manifest), 'package.nls.json': print(titles) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check');
  for (const [file, text] of Object.entries(await manifestTexts())) {
    const url = new URL(file, root);
    // Biome lays arrays out in its own way, so the values are compared and not the layout.
    if (JSON.stringify(JSON.parse(readFileSync(url, 'utf8'))) === JSON.stringify(JSON.parse(text))) continue;
    if (check) {
      console.error(`${file} is not what the rules say: run node scripts/settings.mjs.`);
      process.exitCode = 1;
    } else writeFileSync(url, text);
  }
}
