import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { githubReport } from '../../server/src/cli/report/github';
import { junitReport } from '../../server/src/cli/report/junit';
import type { CheckReport, ReportFinding, UnreadFile } from '../../server/src/cli/report/model';
import { sarifReport } from '../../server/src/cli/report/sarif';
import { summaryText, textReport } from '../../server/src/cli/report/text';
import { styleFor } from '../../server/src/cli/style';
import { createChecker } from '../../server/src/core/check';
import { readConfig } from '../../server/src/core/config/read';
import { ruleLink } from '../../server/src/core/rules/links';
import { parseJson } from '../../server/src/core/text/json';
import { LineIndex } from '../../server/src/core/text/lines';
import { render } from '../../server/src/core/text/message';
import { root, run, workspace } from './support';

const samples = (...args: string[]) => run(['check', 'samples', '--target', 'all', ...args]);

/** The schema of SARIF is of draft 4; what it uses of that draft means the same in draft 7, but for the key of its id. */
function sarifValidator() {
  const file = path.join(root, 'test/cli/fixtures/sarif-2.1.0-rtm.5.json');
  const { id, $schema, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect({ id, $schema }).toMatchObject({ $schema: 'http://json-schema.org/draft-04/schema#' });
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function expectValidSarif(text: string): void {
  const validate = sarifValidator();
  validate(JSON.parse(text));
  expect(validate.errors ?? []).toEqual([]);
}

const POINT = { line: 2, column: 5, offset: 10 };
const END = { line: 2, column: 9, offset: 14 };
const HARD = 'a,b: 100 % of "x" <y> & ]]> \u0007\ud800\r\nnext';

function finding(more: Partial<ReportFinding> = {}): ReportFinding {
  return {
    file: 'a b/ä%.json',
    rule: 'tool/name-pattern',
    level: 'error',
    message: HARD,
    targets: ['codex'],
    tool: 'a',
    pointer: '/0/name',
    range: { start: POINT, end: END },
    related: [{ file: 'a b/ä%.json', range: { start: POINT, end: END }, message: 'The first.' }],
    fixes: [{ title: 'Fix it.', safe: true, edits: [{ range: { start: POINT, end: END }, newText: 'x' }] }],
    ...more,
  };
}

function reportOf(findings: readonly ReportFinding[], more: Partial<CheckReport> = {}): CheckReport {
  return {
    files: [
      { file: 'a b/ä%.json', tools: 1, findings },
      { file: 'fine.json', tools: 0, findings: [] },
    ],
    unread: [],
    summary: { files: 2, tools: 1, errors: 1, warnings: 0, infos: 0, hints: 0 },
    maxWarnings: undefined,
    ...more,
  };
}

describe('one finding, three places', () => {
  interface JsonFinding {
    file: string;
    rule: string;
    level: string;
    message: string;
    range: { start: { line: number; column: number; offset: number }; end: { line: number; column: number } };
  }
  interface SarifResult {
    ruleId: string;
    message: { text: string };
    properties: { level: string };
    ruleIndex: number;
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: string };
          region: { startLine: number; startColumn: number; endLine: number; endColumn: number; charOffset: number };
        };
      },
    ];
  }

  test('text, JSON and SARIF agree with each other and with the core', async () => {
    const [text, json, sarif] = await Promise.all([
      samples('--hints'),
      samples('--format', 'json'),
      samples('--format', 'sarif'),
    ]);
    const fromJson = (JSON.parse(json.out) as { findings: JsonFinding[] }).findings;
    expect(fromJson.length).toBeGreaterThan(50);
    expect(text.out.trimEnd().split('\n')).toEqual(
      fromJson.map(
        ({ file, rule, level, message, range: { start } }) =>
          `${file}:${start.line}:${start.column} ${level} ${message} [${rule}]`,
      ),
    );

    const [log] = (
      JSON.parse(sarif.out) as {
        runs: { results: SarifResult[]; tool: { driver: { rules: { id: string; helpUri: string }[] } } }[];
      }
    ).runs;
    const fromSarif = log!.results.map(({ ruleId, message, properties, locations: [{ physicalLocation }] }) => {
      const { startLine, startColumn, endLine, endColumn, charOffset } = physicalLocation.region;
      const file = physicalLocation.artifactLocation.uri;
      return [file, ruleId, properties.level, message.text, startLine, startColumn, endLine, endColumn, charOffset];
    });
    expect(fromSarif).toEqual(
      fromJson.map(({ file, rule, level, message, range: { start, end } }) => {
        return [file, rule, level, message, start.line, start.column, end.line, end.column, start.offset];
      }),
    );
    for (const { ruleId, ruleIndex } of log!.results) {
      expect(log!.tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId, helpUri: ruleLink(ruleId) });
    }

    const file = 'samples/orders.tools.json';
    const source = readFileSync(path.join(root, file), 'utf8');
    const lines = new LineIndex(source);
    const { targets, rules } = readConfig(
      parseJson(readFileSync(path.join(root, 'samples/toolspec.config.json'), 'utf8')),
    );
    const options = { targets: targets ?? [], levels: rules, syntax: true };
    const core = createChecker().check({ uri: file, text: source }, options);
    const plain = await run(['check', file, '--format', 'json']);
    expect((JSON.parse(plain.out) as { findings: JsonFinding[] }).findings).toMatchObject(
      core.findings.map(({ rule, level, message, span }) => {
        const { line, character } = lines.position(span.start);
        return {
          rule,
          level,
          message: render(message),
          range: { start: { line: line + 1, column: character + 1, offset: span.start } },
        };
      }),
    );
  });

  test('a byte order mark and CRLF shift nothing', async () => {
    const text =
      '[\r\n  {"type":"function","name":"a b","description":"x","parameters":{"type":"object","properties":{}}}\r\n]';
    const cwd = workspace({ 'bom.tools.json': `\ufeff${text}`, 'plain.tools.json': text });
    const { out } = await run(['check', '--format', 'json'], { cwd });
    const { findings } = JSON.parse(out) as { findings: JsonFinding[] };
    const of = (name: string) =>
      findings.filter(({ file }) => file === name).map(({ rule, range }) => ({ rule, range }));
    expect(of('bom.tools.json')).toEqual(of('plain.tools.json'));
    const name = findings.find(({ rule }) => rule === 'tool/name-pattern')!;
    expect(name.range.start).toEqual({ line: 2, column: 29, offset: text.indexOf('"a b"') });
  });
});

describe('json', () => {
  test('of the samples, and of none, is valid against the published schema', async () => {
    const schema = JSON.parse(readFileSync(path.join(root, 'schemas/report-check.schema.json'), 'utf8'));
    const validate = new Ajv({ strict: true }).compile(schema);
    const empty = await run(['check', '--format', 'json'], { cwd: workspace() });
    for (const { out } of [await samples('--format', 'json'), empty]) {
      validate(JSON.parse(out));
      expect(validate.errors ?? []).toEqual([]);
    }
    const broken = JSON.parse(empty.out);
    broken.summary.files = -1;
    expect(validate(broken)).toBe(false);
  });

  test('has the documented keys in the documented order, and counts', async () => {
    const { code, out } = await run(['check', 'samples/orders.tools.json', '--format', 'json']);
    expect(code).toBe(1);
    expect(out.endsWith('}\n')).toBe(true);
    expect(out.indexOf('\n')).toBe(out.length - 1);
    const report = JSON.parse(out);
    expect(Object.keys(report)).toEqual(['version', 'findings', 'summary']);
    expect(report.version).toBe(1);
    expect(Object.keys(report.summary)).toEqual(['files', 'tools', 'errors', 'warnings', 'infos', 'hints']);
    const keys = ['file', 'rule', 'level', 'message', 'targets', 'tool', 'pointer', 'range', 'related', 'fixes'];
    for (const each of report.findings) {
      expect(Object.keys(each)).toEqual(keys);
      expect(Object.keys(each.range)).toEqual(['start', 'end']);
      expect(Object.keys(each.range.start)).toEqual(['line', 'column', 'offset']);
    }
    const levels = report.findings.map((each: { level: string }) => each.level);
    const count = (level: string) => levels.filter((each: string) => each === level).length;
    expect(report.summary).toEqual({
      files: 1,
      tools: 2,
      errors: count('error'),
      warnings: count('warning'),
      infos: count('info'),
      hints: count('hint'),
    });
  });
});

describe('sarif', () => {
  test('of the samples is valid against the schema', async () => {
    expectValidSarif((await samples('--format', 'sarif')).out);
  });

  test('without findings is valid', async () => {
    const cwd = workspace();
    expectValidSarif((await run(['check', '--format', 'sarif'], { cwd })).out);
  });

  test('of hard texts, files outside and unread files is valid', () => {
    const report = reportOf([finding(), finding({ file: '../up.json', pointer: undefined, tool: undefined })], {
      unread: [{ file: 'gone.json', failure: 'does not exist' }],
    });
    const text = sarifReport(report, { version: '0.1.0', cwd: '/nowhere/here', exitCode: 2, link: ruleLink });
    expectValidSarif(text);
    const [log] = JSON.parse(text).runs;
    const uris = log.results.map(
      (result: { locations: { physicalLocation: { artifactLocation: unknown } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation,
    );
    expect(uris).toEqual([{ uri: 'a%20b/%C3%A4%25.json', uriBaseId: '%SRCROOT%' }, { uri: 'file:///nowhere/up.json' }]);
    expect(text).not.toContain('/nowhere/here');
    expect(log.invocations).toMatchObject([{ executionSuccessful: false, exitCode: 2 }]);
    expect(log.columnKind).toBe('utf16CodeUnits');
  });

  test('fingerprints stay when lines move, and repeats are told apart', async () => {
    const text = readFileSync(path.join(root, 'samples/orders.tools.json'), 'utf8');
    const cwd = workspace({ 'a.tools.json': text });
    const prints = async () => {
      const { out } = await run(['check', '--format', 'sarif'], { cwd });
      return JSON.parse(out).runs[0].results.map((each: { partialFingerprints: object }) => each.partialFingerprints);
    };
    const before = await prints();
    expect(new Set(before.map((each: object) => JSON.stringify(each))).size).toBe(before.length);
    const moved = workspace({ 'a.tools.json': text.replace('[\n', '[\n\n\n') });
    const after = JSON.parse((await run(['check', '--format', 'sarif'], { cwd: moved })).out).runs[0].results;
    expect(after.map((each: { partialFingerprints: object }) => each.partialFingerprints)).toEqual(before);
  });

  test('fixes hold the very edits', () => {
    const [result] = JSON.parse(
      sarifReport(reportOf([finding()]), { version: '1.0.0', cwd: '/', exitCode: 1, link: ruleLink }),
    ).runs[0].results;
    expect(result.fixes[0].artifactChanges[0].replacements).toEqual([
      {
        deletedRegion: { startLine: 2, startColumn: 5, endLine: 2, endColumn: 9, charOffset: 10, charLength: 4 },
        insertedContent: { text: 'x' },
      },
    ]);
  });
});

describe('github', () => {
  test('escapes data and properties', () => {
    expect(githubReport([finding({ message: 'a,b: 100 %\r\nnext' })])).toBe(
      '::error file=a b/ä%25.json,line=2,endLine=2,col=5,endColumn=9,title=tool/name-pattern::a,b: 100 %25%0D%0Anext\n',
    );
    expect(githubReport([finding({ file: 'c:/a,b.json', level: 'hint', message: 'x' })])).toContain(
      '::notice file=c%3A/a%2Cb.json,',
    );
  });

  test('leaves columns out where a range has several lines, as GitHub does not take them', () => {
    const range = { start: POINT, end: { line: 4, column: 1, offset: 40 } };
    expect(githubReport([finding({ range, level: 'warning', message: 'x' })])).toBe(
      '::warning file=a b/ä%25.json,line=2,endLine=4,title=tool/name-pattern::x\n',
    );
  });

  test('shows hints only when they are asked for', async () => {
    expect((await samples('--format', 'github')).out).not.toContain('codex/keyword-dropped');
    expect((await samples('--format', 'github', '--hints')).out).toContain('::notice file=samples/');
  });
});

describe('junit', () => {
  /** Well-formedness of the small XML that is written: elements nest, attributes are quoted, no forbidden character. */
  function parseXml(xml: string): { name: string; attributes: Record<string, string> }[] {
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(Buffer.from(xml).toString()).toBe(xml);
    const seen: { name: string; attributes: Record<string, string> }[] = [];
    const open: string[] = [];
    const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '');
    let at = 0;
    for (const match of body.matchAll(/<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g)) {
      expect(body.slice(at, match.index)).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/);
      at = match.index + match[0].length;
      const [, closing, name = '', attributes = '', empty] = match;
      if (closing === '/') expect(open.pop()).toBe(name);
      else {
        const pairs = [...attributes.matchAll(/([a-z]+)="([^"]*)"/g)].map((pair) => [pair[1] ?? '', pair[2] ?? '']);
        seen.push({ name, attributes: Object.fromEntries(pairs) });
        if (empty === '') open.push(name);
      }
    }
    expect(body.slice(at)).toBe('\n');
    expect(open).toEqual([]);
    return seen;
  }

  test('of hard texts is well-formed', () => {
    const elements = parseXml(
      junitReport(reportOf([finding()], { unread: [{ file: '<gone>.json', failure: 'does not exist' }] })),
    );
    expect(elements[0]).toEqual({
      name: 'testsuites',
      attributes: { name: 'toolspec', tests: '3', failures: '1', errors: '1' },
    });
    expect(elements.find(({ name }) => name === 'failure')?.attributes['message']).toBe(
      'a,b: 100 % of &quot;x&quot; &lt;y&gt; &amp; ]]&gt; \ufffd\ufffd&#13;&#10;next',
    );
  });

  test('of the samples is well-formed, and fails exactly where the exit code is 1', async () => {
    const { out } = await samples('--format', 'junit');
    const [suites] = parseXml(out);
    const json = JSON.parse((await samples('--format', 'json')).out);
    expect(Number(suites?.attributes['failures'])).toBe(json.summary.errors);
    expect(Number(suites?.attributes['tests'])).toBeGreaterThanOrEqual(json.findings.length);
    const strict = parseXml((await samples('--format', 'junit', '--max-warnings', '0')).out);
    expect(Number(strict[0]?.attributes['failures'])).toBe(json.summary.errors + json.summary.warnings);
  });
});

describe('text', () => {
  test('tells what could not be read from what could not be written', () => {
    const gone = { file: 'gone.json', failure: 'does not exist' };
    const locked = { file: 'locked.json', failure: 'may not be written', unwritten: true };
    const endOf = (...unread: UnreadFile[]): string =>
      summaryText(reportOf([], { unread }), { hiddenHints: false, offerFix: false }).replace(/^.*? files\./, '');
    expect(endOf(gone, gone)).toBe(' 2 paths could not be read.\n');
    expect(endOf(locked)).toBe(' 1 file could not be written.\n');
    expect(endOf(locked, gone)).toBe(' 1 path could not be read. 1 file could not be written.\n');
  });

  test('the summary counts, and says what --fix would do and which limit was passed', () => {
    const summary = { files: 2, tools: 1, errors: 1, warnings: 2, infos: 1, hints: 1234 };
    expect(summaryText(reportOf([finding()], { summary, maxWarnings: 1 }), { hiddenHints: true, offerFix: true })).toBe(
      [
        '1 error, 2 warnings, 1 note, 1,234 hints (--hints shows them) in 1 tool of 2 files.',
        '1 finding can be fixed with --fix.',
        '2 warnings where --max-warnings allows 1.',
        '',
      ].join('\n'),
    );
  });

  test('is one line per finding, colored only where a terminal reads it', () => {
    const one = [finding({ message: 'One.\n  Two.' })];
    expect(textReport(one, styleFor(false))).toBe('a b/ä%.json:2:5 error One. Two. [tool/name-pattern]\n');
    expect(textReport(one, styleFor(true))).toBe(
      'a b/ä%.json:2:5 \u001b[31merror\u001b[0m One. Two. \u001b[90m[tool/name-pattern]\u001b[0m\n',
    );
  });
});
