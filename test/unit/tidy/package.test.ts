import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { expect, test } from 'vitest';
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

test('the package is smaller than 3.5 MB', () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'toolspec-package-'));
  try {
    const packagePath = path.join(scratch, 'toolspec.vsix');
    execFileSync(process.execPath, [path.join(root, 'scripts/package.mjs'), packagePath], { stdio: 'ignore' });
    expect(statSync(packagePath).size).toBeLessThan(SIZE_LIMIT);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
