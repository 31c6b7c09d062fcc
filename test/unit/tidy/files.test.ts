import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, read, root } from './sources';

const TEXT =
  /\.(?:[cm]?[jt]s|json|jsonc|md|sh|ya?ml|svg|css|html)$|(?:^|\/)(?:run|LICENSE|\.[a-z]+(?:ignore|attributes|config|rc))$/;

/** Written by other programs. */
const GENERATED = new Set(['samples/query.parser.js', 'package-lock.json']);

const files = filesBelow('.', TEXT);
/** Texts that people wrote. Test data may say anything. */
const written = files.filter(
  (file) => !/^test\/(?:fixtures|vectors|[a-z]+\/fixtures|conformance\/.*\.json)/.test(file) && !GENERATED.has(file),
);

/** Parsers and tables, where one long file reads better than two. */
const LONG_FILES = new Set<string>([]);
const LINE_LIMIT = 600;

function linesWith(pattern: RegExp, among = written): string[] {
  return among.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`] : [])),
  );
}

describe('files', () => {
  test(`no source file is longer than ${LINE_LIMIT} lines`, () => {
    const long = written
      .filter((file) => /\.[cm]?[jt]s$/.test(file) && !LONG_FILES.has(file))
      .map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
      .filter(({ lines }) => lines > LINE_LIMIT);
    expect(long).toEqual([]);
  });

  test('file names of the sources are in camel case', () => {
    const named = files.filter((file) => /^(?:client|server)\/src\/.*\.ts$/.test(file));
    expect(
      named.filter((file) => !/^[a-z][A-Za-z0-9]*(?:\.(?:node|browser))?\.ts$/.test(path.posix.basename(file))),
    ).toEqual([]);
  });

  test('nothing is left for later', () => {
    expect(linesWith(/\b(?:TO-?DO|FIX-?ME|X{3}|HAC[K])\b/)).toEqual([]);
  });

  test('no test is skipped or runs alone', () => {
    const tests = written.filter((file) => /^test\/.*\.(?:test\.ts|ui\.mjs)$/.test(file));
    expect(linesWith(/\b(?:test|it|describe|suite)\.(?:only|skip|todo)\b/, tests)).toEqual([]);
  });

  test('no text names the host of a package registry', () => {
    expect(linesWith(/registry\.(?:npmjs|yarnpkg)\.|\bnpmmirror\.|"resolved":\s*"https?:/, files)).toEqual([]);
  });

  test('no text names a folder outside of the project', () => {
    expect(linesWith(/(?:^|[\s"'`(])\/(?:work|home|Users|root|tmp)\/[\w.]/)).toEqual([]);
  });

  test('no text refers to notes that are not in the project', () => {
    expect(linesWith(/\bfacts?\s+[A-H]\.\d|(?<!, )\bissue\s+#?\d+\b|\.\.\/shared\b/i)).toEqual([]);
  });

  test('every relative link of the documentation leads to a file', () => {
    const broken = written
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [
          ...read(file)
            .replace(/^```[\s\S]*?^```/gm, '')
            .matchAll(/\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g),
        ]
          .map((match) => path.posix.join(path.posix.dirname(file), decodeURI(match[1] ?? '')))
          .filter((target) => target.startsWith('..') || !existsSync(path.join(root, target)))
          .map((target) => `${file} → ${target}`),
      );
    expect(broken).toEqual([]);
  });

  test('text files end their lines with a line feed, the last one too', () => {
    const bad = written.filter((file) => {
      const text = read(file);
      return text !== '' && (text.includes('\r\n') || !text.endsWith('\n'));
    });
    expect(bad.filter((file) => !/\.(?:crlf|bytes)\./.test(file))).toEqual([]);
  });
});
