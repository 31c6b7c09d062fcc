// Collects every text for people out of the sources into l10n/bundle.l10n.json, and keeps the translations in step:
// new texts get an empty translation, and those that no source has any more are taken away. Texts of the manifest
// (package.nls.json) are kept in step too. `--check` writes nothing and fails when a translation is missing, is left
// over, or does not hold what its text holds.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Languages that the product speaks beside English, as VS Code names them. */
export const LANGUAGES = ['zh-cn'];

const BUNDLE = 'l10n/bundle.l10n.json';
const MANIFEST = 'package.nls.json';

/** Where texts stand: folders, and the module that their `t` comes from; none for `vscode.l10n.t`. */
const SOURCES = [
  { folder: 'server/src/core', from: /(?:^|\/)message$/ },
  { folder: 'server/src/lsp', from: /(?:^|\/)message$/ },
  { folder: 'server/src/host', from: /(?:^|\/)message$/ },
  { folder: 'client/webview', from: /(?:^|\/)l10n$/ },
  { folder: 'client/src', from: undefined },
];

/** Files that define `t`. */
const DEFINITIONS = new Set(['server/src/core/text/message.ts', 'client/webview/l10n.ts']);

function* filesBelow(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (/(?<!\.d)\.ts$/.test(entry.name)) yield file;
  }
}

/** Calls back for every node of a syntax tree. */
function visit(node, call) {
  const stack = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next.type === 'string') call(next);
    for (const value of Object.values(next).reverse())
      if (typeof value === 'object' && value !== null) stack.push(value);
  }
}

/** The text of a literal without substitutions; `undefined` for anything else. */
function literal(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

/** Whether a module imports a `t` that makes messages. */
function importsT(program, from) {
  return program.body.some(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      from.test(statement.source.value) &&
      statement.specifiers.some(({ local }) => local.name === 't'),
  );
}

/**
 * Every text for people, and every call whose text is no literal and can therefore not be translated.
 *
 * @returns {{ texts: Map<string, string[]>, computed: string[] }} texts with the files they stand in, in the order of
 *   the sources; calls as `file:line`
 */
export function collectTexts() {
  const texts = new Map();
  const computed = [];
  for (const { folder, from } of SOURCES) {
    for (const file of [...filesBelow(folder)].sort()) {
      if (DEFINITIONS.has(file)) continue;
      const source = readFileSync(path.join(root, file), 'utf8');
      const program = parseAst(source, { lang: 'ts' }, file);
      const plain = from !== undefined && importsT(program, from);
      visit(program, (node) => {
        if (node.type !== 'CallExpression') return;
        const { callee } = node;
        const isT = plain && callee.type === 'Identifier' && callee.name === 't';
        const isEditor =
          callee.type === 'MemberExpression' &&
          callee.property.name === 't' &&
          callee.object.type === 'MemberExpression' &&
          callee.object.property.name === 'l10n';
        if (!isT && !isEditor) return;
        const text = literal(node.arguments[0]);
        if (text === undefined) {
          computed.push(`${file}:${source.slice(0, node.start).split('\n').length}`);
        } else if (text !== '' && !texts.has(text)) {
          texts.set(text, [file]);
        } else if (text !== '' && !texts.get(text).includes(file)) {
          texts.get(text).push(file);
        }
      });
    }
  }
  return { texts, computed };
}

/** What a translation has to hold as its text does: `{0}`, and code between backticks. */
export function marksOf(text) {
  return [...text.matchAll(/\{\d+\}|`[^`]*`/g)].map(([mark]) => mark).sort();
}

/** What is wrong with a translation, in words; `undefined` when nothing is. */
export function problemOf(text, translation) {
  if (translation === undefined || translation === '') return 'is not translated';
  const [wanted, found] = [marksOf(text), marksOf(translation)].map((marks) => marks.join(' '));
  return wanted === found ? undefined : `has ${found || 'no marks'} where the text has ${wanted || 'none'}`;
}

/** A file of texts, or an empty one where there is none. */
export function readTexts(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/** Names of the files of a language: texts of the sources, texts of the manifest. */
export function filesOf(language) {
  return { bundle: `l10n/bundle.l10n.${language}.json`, manifest: `package.nls.${language}.json` };
}

/** A bundle in a made-up language, in which a text that was not translated is seen at once: `⟦Ŕéśtáŕt Śéŕvéŕ⟧`. */
export function pseudoBundle(texts) {
  const accents = { a: 'á', c: 'ć', e: 'é', i: 'í', l: 'ĺ', n: 'ń', o: 'ó', r: 'ŕ', s: 'ś', u: 'ú', y: 'ý', z: 'ź' };
  const accented = (part) => part.replace(/[aceilnorsuyz]/g, (letter) => accents[letter]);
  const pseudo = (text) =>
    `⟦${text
      .split(/(\{\d+\}|`[^`]*`)/)
      .map((part, i) => (i % 2 ? part : accented(part)))
      .join('')}⟧`;
  return Object.fromEntries([...texts].map((text) => [text, pseudo(text)]));
}

/** Every file as it should be, with what is missing in it. */
function wanted() {
  const { texts, computed } = collectTexts();
  const problems = computed.map((place) => `${place}: the text is no literal`);
  const keys = [...texts.keys()].sort();
  const titles = readTexts(MANIFEST);
  const files = new Map([[BUNDLE, Object.fromEntries(keys.map((key) => [key, key]))]]);
  for (const language of LANGUAGES) {
    const { bundle, manifest } = filesOf(language);
    const sources = [
      [bundle, keys.map((key) => [key, key])],
      [manifest, Object.entries(titles)],
    ];
    for (const [file, entries] of sources) {
      const known = readTexts(file);
      files.set(file, Object.fromEntries(entries.map(([key]) => [key, known[key] ?? ''])));
      for (const [key, text] of entries) {
        const problem = problemOf(text, known[key]);
        if (problem !== undefined) problems.push(`${file}: ${JSON.stringify(key)} ${problem}`);
      }
    }
  }
  return { files, problems };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check');
  const { files, problems } = wanted();
  for (const [file, texts] of files) {
    const text = `${JSON.stringify(texts, null, 2)}\n`;
    if (JSON.stringify(readTexts(file)) === JSON.stringify(texts)) continue;
    if (check) problems.push(`${file}: is out of date; run npm run l10n`);
    else writeFileSync(path.join(root, file), text);
  }
  for (const problem of problems) console.error(problem);
  console.error(`${Object.keys(files.get(BUNDLE)).length} texts, ${problems.length} problem(s).`);
  if (check && problems.length > 0) process.exitCode = 1;
}
