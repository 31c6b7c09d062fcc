import { describe, expect, test } from 'vitest';
import { BUNDLES, metafile, read } from './sources';

/**
 * Node's modules that each bundle may load. None of them opens a connection to another machine. child_process is
 * there because the library of language clients starts the server, and because the server looks whether its parent still lives.
 */
const ALLOWED: Record<(typeof BUNDLES)[number], string[]> = {
  client: [],
  extension: ['vscode'],
  languageClient: ['child_process', 'crypto', 'fs', 'os', 'path', 'readline', 'util', 'vscode'],
  server: [
    'child_process',
    'crypto',
    'fs',
    'fs/promises',
    'module',
    'os',
    'path',
    'url',
    'util',
    'v8',
    'worker_threads',
  ],
  cli: [
    'child_process',
    'crypto',
    'events',
    'fs',
    'fs/promises',
    'module',
    'os',
    'path',
    'process',
    'readline',
    'url',
    'util',
    'v8',
    'worker_threads',
  ],
  engineWorker: ['worker_threads'],
  browserEngineWorker: [],
  // The browser has no modules of Node; the editor gives its own API.
  'web/client': ['vscode'],
  'web/server': [],
  handlerHost: ['fs', 'readline', 'stream', 'url'],
  mcpClient: ['crypto'],
  tokens: [],
  validator: [],
};

/** Names by which code reaches the network without a module. */
const WEB_API =
  /\b(?:fetch\s*\(|XMLHttpRequest\b|WebSocket\b|WebTransport\b|EventSource\b|sendBeacon\b|RTCPeerConnection\b|importScripts\b)/;

/** Ajv writes these into code that it generates for files, which is never run here. */
const ONLY_IN_GENERATED_TEXT = /^ajv(?:-formats)?\/dist\//;

describe.each(BUNDLES)('nothing leaves the machine: dist/%s.js', (name) => {
  const code = read(`dist/${name}.js`);

  test('loads only modules without a network', () => {
    const required = [...code.matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map((match) => match[1] ?? '');
    const external = Object.values(metafile(name).inputs).flatMap(({ imports }) =>
      imports.filter((each) => each.external).map((each) => each.path),
    );
    const modules = new Set([...required, ...external].filter((each) => !ONLY_IN_GENERATED_TEXT.test(each)));
    const plain = [...modules].map((each) => each.replace(/^node:/, ''));
    // Other bundles of ours, which are looked at themselves.
    const ours = new Set(BUNDLES.map((bundle) => `./${bundle}.js`));
    expect(plain.filter((each) => !ALLOWED[name].includes(each) && !ours.has(each))).toEqual([]);
  });

  test('loads nothing by a computed name', () => {
    const computed = [...code.matchAll(/\b(?:require|import)\(\s*[^"'`\s)][^)]{0,60}\)/g)].map((match) => match[0]);
    // The process for modules is there to load what the user names.
    expect(name === 'handlerHost' ? computed.slice(1) : computed).toEqual([]);
  });

  test('has no network API of the web', () => {
    const at = code.search(WEB_API);
    expect(at < 0 ? '' : code.slice(Math.max(0, at - 60), at + 60)).toBe('');
  });
});
