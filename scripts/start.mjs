// The main job on the samples, as `npm start` shows it: what is wrong, what Codex makes of it, what goes on the
// wire, how a grammar reads a text, and where a contract and its handler differ. Everything below comes from the command
// line as it is shipped.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const WIDTH = 150;
const bold = (/** @type {string} */ text) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);

/**
 * Runs a command and shows it with its output, cut to a width and a number of lines that can be read at a glance.
 * @param {string} title
 * @param {string[]} args
 * @param {(lines: string[]) => string[]} [select]
 */
function show(title, args, select = (lines) => lines) {
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [cli, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (error || status === null || status > 1) {
    console.error(error?.message ?? stderr);
    process.exit(1);
  }
  const shown = args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : `"${arg}"`));
  console.log(`${bold(title)}\n$ toolspec ${shown.join(' ')}\n`);
  const lines = [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => line !== '');
  for (const line of select(lines)) console.log(shorten(line));
  console.log();
}

/**
 * Long messages lose their end, but not the rule behind it.
 * @param {string} line
 */
function shorten(line) {
  if (line.length <= WIDTH) return line;
  const rule = / \[[\w/-]+\]$/.exec(line)?.[0] ?? '';
  return `${line.slice(0, WIDTH - rule.length - 1).trimEnd()}…${rule}`;
}

const QUESTION = 'orders where total > 100 and status is open limit 20';

show('1. What is wrong', ['check', 'samples']);
show('2. What Codex makes of it', ['compile', 'samples/weather.tools.json', '--tool', 'get_forecast']);
show('3. What goes on the wire', ['wire', 'samples/weather.tools.json', '--tool', 'get_forecast'], wrap);

show('4. What a grammar makes of a text', ['grammar', 'parse', 'samples/query.lark', '--input', QUESTION]);
show('5. Whether contract and handler agree', ['run', 'samples/apply_patch.drift.samples.json']);

/**
 * The one long line of JSON, broken for reading.
 * @param {string[]} lines
 */
function wrap(lines) {
  return lines.flatMap((line) => line.match(/.{1,120}/gu) ?? []);
}

console.log('In VS Code the same findings, sizes and losses stand beside the lines: see README.md.');
