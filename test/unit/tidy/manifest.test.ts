import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../server/src/lsp/settings';
import { filesBelow, read, readJson, root } from './sources';

interface Property {
  type?: string | string[];
  default?: unknown;
  scope?: string;
  description?: string;
  markdownDescription?: string;
}

interface Manifest {
  icon: string;
  keywords: string[];
  engines: { vscode: string };
  devDependencies: Record<string, string>;
  activationEvents: string[];
  contributes: {
    commands?: { command: string; title: string; category?: string }[];
    menus?: Record<string, { command?: string }[]>;
    configuration?: { properties: Record<string, Property> } | { properties: Record<string, Property> }[];
    jsonValidation?: { fileMatch: string[]; url: string }[];
    languages?: { id: string; configuration: string }[];
    grammars?: { language?: string; scopeName: string; path: string; injectTo?: string[] }[];
  };
}

const manifest = readJson<Manifest>('package.json');
const { contributes } = manifest;
const titles = readJson<Record<string, string>>('package.nls.json');
const client = filesBelow('client', /\/src\/.*\.ts$/)
  .map(read)
  .join('\n');
const commands = contributes.commands ?? [];
const settings = [contributes.configuration ?? []].flat().flatMap((each) => Object.entries(each.properties));

/** Names of the settings that the server reads, as in `codeLens.enabled`, found by watching it read. */
function settingsOfServer(): string[] {
  const read = new Set<string>();
  const watched = (prefix: string): object =>
    new Proxy(
      {},
      {
        get(_target, key) {
          if (typeof key !== 'string') return undefined;
          read.add(prefix + key);
          return watched(`${prefix}${key}.`);
        },
      },
    );
  readSettings(watched(''));
  // What has parts is a section, not a setting.
  return [...read].filter((name) => ![...read].some((other) => other.startsWith(`${name}.`)));
}

describe('manifest', () => {
  test('every title it names exists, and every title is used', () => {
    const named = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? ''));
    expect([...named].filter((key) => !(key in titles))).toEqual([]);
    expect(Object.keys(titles).filter((key) => !named.has(key))).toEqual([]);
  });

  test('texts that people read are titles, not written into the manifest', () => {
    const plain = (text: string | undefined) => text !== undefined && !/^%[^%]+%$/.test(text);
    expect(commands.filter(({ title, category }) => plain(title) || plain(category))).toEqual([]);
    expect(settings.filter(([, each]) => plain(each.description) || plain(each.markdownDescription))).toEqual([]);
  });

  test('every command has a category and is registered by the client', () => {
    expect(commands.filter(({ category }) => category === undefined)).toEqual([]);
    expect(commands.map(({ command }) => command).filter((id) => !client.includes(`'${id}'`))).toEqual([]);
  });

  test('menus name commands that exist', () => {
    const known = new Set(commands.map(({ command }) => command));
    const used = Object.values(contributes.menus ?? {}).flatMap((items) =>
      items.flatMap(({ command }) => command ?? []),
    );
    expect(used.filter((command) => command.startsWith('toolspec.') && !known.has(command))).toEqual([]);
  });

  test('every setting has a description, a default and a scope', () => {
    const incomplete = settings.filter(
      ([name, each]) =>
        !name.startsWith('toolspec.') ||
        (each.description ?? each.markdownDescription) === undefined ||
        !('default' in each) ||
        each.scope === undefined,
    );
    expect(incomplete.map(([name]) => name)).toEqual([]);
  });

  test('the settings it announces are those that are read', () => {
    const announced = settings.map(([name]) => name.slice('toolspec.'.length));
    const server = settingsOfServer();
    expect(server.filter((name) => !announced.includes(name))).toEqual([]);
    const unread = announced.filter((name) => !server.includes(name) && !client.includes(`'${name}'`));
    // The language client itself reads this one.
    expect(unread.filter((name) => name !== 'trace.server')).toEqual([]);
  });

  test('published schemas are there', () => {
    const names = (contributes.jsonValidation ?? []).map(({ url }) => url.replace(/^toolspec-schema:\//, ''));
    const missing = names.filter((name) => readJson<{ $schema?: string }>(`schemas/${name}`).$schema === undefined);
    expect(missing).toEqual([]);
    // The extension gives exactly these.
    const given = /const NAMES = new Set\(\[(.*)\]\)/.exec(read('client/src/schemas.ts'))?.[1] ?? '';
    expect([...given.matchAll(/'([^']+)'/g)].map(([, name]) => name).sort()).toEqual(names.sort());
  });

  test('it wakes for what it is for, and for nothing else', () => {
    // No `*`, no start of the editor, and no `onLanguage:json`: JSON is open in nearly every window.
    const kinds = manifest.activationEvents.map((event) => event.replace(/:.*/, ''));
    expect([...new Set(kinds)].sort()).toEqual(['onFileSystem', 'onWebviewPanel', 'workspaceContains']);
    const constant = (file: string, name: string): string | undefined =>
      new RegExp(`const ${name} = '([^']+)'`).exec(read(file))?.[1];
    const named = (kind: string): string[] =>
      manifest.activationEvents.filter((event) => event.startsWith(`${kind}:`)).map((event) => event.split(':')[1]!);
    expect(named('onFileSystem')).toEqual([
      constant('client/src/schemas.ts', 'SCHEMA_SCHEME'),
      constant('server/src/protocol.ts', 'DOCUMENT_SCHEME'),
    ]);
    expect(named('onWebviewPanel')).toEqual([constant('client/src/panel/panel.ts', 'PANEL_TYPE')]);
    // What wakes it by name before a file is open also wakes it when the file is opened.
    const patterns = (contributes.jsonValidation ?? []).flatMap(({ fileMatch }) => fileMatch);
    expect(patterns.every((pattern) => /^(?:\*\.)?[\w.]+\.jsonc?$/.test(pattern))).toBe(true);
    expect(patterns.length).toBe(8);
  });

  test('grammars are those of the files, for languages that are there', () => {
    const { grammars = [], languages = [] } = contributes;
    const wrong = grammars.filter(({ scopeName, path: file, language, injectTo }) => {
      const grammar = readJson<{ scopeName: string }>(file);
      const known = languages.some(({ id }) => id === language);
      return grammar.scopeName !== scopeName || (!known && injectTo === undefined);
    });
    expect(wrong).toEqual([]);
    expect(languages.map(({ configuration }) => Object.keys(readJson<object>(configuration)).length > 0)).toEqual([
      true,
    ]);
  });

  test('the types of the editor are those of the oldest version it runs in', () => {
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
  });

  test('the marketplace gets what it asks for', () => {
    expect(manifest.keywords.length).toBeLessThanOrEqual(30);
    const icon = readFileSync(path.join(root, manifest.icon));
    expect(icon.subarray(1, 4).toString('latin1')).toBe('PNG');
    // Width and height stand in the first chunk.
    expect(icon.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
    expect(icon.readUInt32BE(20)).toBe(icon.readUInt32BE(16));
  });
});
