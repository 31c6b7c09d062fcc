import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from './sources';

/** 3.5 MB. */
const SIZE_LIMIT = 3_500_000;

test('the package holds these files and no other', async () => {
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  expect(files.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/THIRD_PARTY_NOTICES.txt',
    'dist/browserEngineWorker.js',
    'dist/cli.js',
    'dist/client.js',
    'dist/engineWorker.js',
    'dist/extension.js',
    'dist/handlerHost.js',
    'dist/languageClient.js',
    'dist/llguidance.wasm',
    'dist/mcpClient.js',
    'dist/panel/codicon.ttf',
    'dist/panel/panel.css',
    'dist/panel/panel.js',
    'dist/server.js',
    'dist/tokens.js',
    'dist/validator.js',
    'dist/web/client.js',
    'dist/web/server.js',
    'l10n/bundle.l10n.zh-cn.json',
    'media/icon.png',
    'media/tools.svg',
    'media/walkthrough/create.md',
    'media/walkthrough/fix.md',
    'media/walkthrough/hints.md',
    'media/walkthrough/panel.md',
    'media/walkthrough/run.md',
    'media/walkthrough/zh-cn/create.md',
    'media/walkthrough/zh-cn/fix.md',
    'media/walkthrough/zh-cn/hints.md',
    'media/walkthrough/zh-cn/panel.md',
    'media/walkthrough/zh-cn/run.md',
    'package.json',
    'package.nls.json',
    'package.nls.zh-cn.json',
    'schemas/config.schema.json',
    'schemas/report-against.schema.json',
    'schemas/report-check.schema.json',
    'schemas/report-convert.schema.json',
    'schemas/report-fuzz.schema.json',
    'schemas/report-run.schema.json',
    'schemas/report-search.schema.json',
    'schemas/samples.schema.json',
    'schemas/tool.schema.json',
    'snippets/json.json',
    'snippets/lark.json',
    'syntaxes/lark-in-json.tmLanguage.json',
    'syntaxes/lark.language-configuration.json',
    'syntaxes/lark.tmLanguage.json',
  ]);
});

function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the package is smaller than 3.5 MB', () => {
  const packagePath = path.join(scratchFolder(), 'toolspec.vsix');
  execFileSync(process.execPath, [path.join(root, 'scripts/package.mjs'), packagePath], { stdio: 'ignore' });
  expect(statSync(packagePath).size).toBeLessThan(SIZE_LIMIT);
});

describe('the package of the command line', () => {
  test('is whole: what is loaded on first use is there, far from everything that it may have forgotten', () => {
    const scratch = scratchFolder();
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch], { cwd: root, stdio: 'pipe' });
    const [archive = ''] = readdirSync(scratch);
    execFileSync('tar', ['-xzf', archive], { cwd: scratch });
    const folder = path.join(scratch, 'package');
    expect(readdirSync(folder).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'schemas',
    ]);
    expect(readdirSync(path.join(folder, 'dist')).sort()).toEqual([
      'THIRD_PARTY_NOTICES.txt',
      'browserEngineWorker.js',
      'cli.js',
      'engineWorker.js',
      'handlerHost.js',
      'llguidance.wasm',
      'mcpClient.js',
      'server.js',
      'tokens.js',
      'validator.js',
    ]);
    const cli = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(folder, 'dist/cli.js'), ...args], { cwd: folder, encoding: 'utf8' });
    const samples = path.join(root, 'samples');
    const at = (name: string): string => path.join(samples, name);
    expect(cli('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    // The tokenizer, the engine of the provider, the validator of JSON Schema, handlers in a process of their own.
    expect(cli('compile', at('update_plan.tool.json'), '--tokens').status).toBe(0);
    expect(cli('grammar', 'walk', at('query.lark'), '--input', 'orders limit 20').status).toBe(0);
    expect(cli('run', samples)).toMatchObject({ status: 0, stderr: expect.stringMatching(/^\d+ passed of \d+ calls/) });
    // The client of MCP.
    const server = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const source = { mcp: { command: [process.execPath, server] }, out: 'everything.tools.json' };
    writeFileSync(path.join(folder, 'toolspec.config.json'), JSON.stringify({ sources: [source] }));
    expect(cli('snapshot')).toMatchObject({ status: 0 });
    expect(cli('check', 'everything.tools.json').status).toBe(0);
  }, 60_000);
});
