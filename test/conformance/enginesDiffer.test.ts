import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { checkGrammar } from '../../server/src/core/checkGrammar';
import { explainDifference, judgeByLark, readForLark } from '../../server/src/core/grammar/enginesDiffer';
import { render } from '../../server/src/core/text/message';
import { startEngine } from '../engineFiles';

const service = startEngine();
afterAll(() => service.close());

interface LarkRecord {
  readonly group: string;
  readonly grammar: string;
  readonly files: Readonly<Record<string, string>> | null;
  readonly inputs: readonly { readonly text: string }[];
}

const read = <T>(name: string): T =>
  (JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')) as { vectors: T }).vectors;

const groups = new Map<string, LarkRecord>();
for (const record of read<readonly LarkRecord[]>('lark/vectors.json')) {
  const known = groups.get(record.group);
  if (known === undefined || record.inputs.length > known.inputs.length) groups.set(record.group, record);
}
const ids = read<readonly { readonly id: string }[]>('llguidance/lark-vectors-in-llguidance.json').map(({ id }) => id);

/** Differences by reason, and those without one. */
interface Table {
  readonly rows: Map<string, string[]>;
  readonly unexplained: string[];
}

function add({ rows, unexplained }: Table, what: string, reason: string | undefined): void {
  if (reason === undefined) unexplained.push(what);
  else rows.set(reason, [...(rows.get(reason) ?? []), what]);
}

describe("differences between Lark and the provider's engine over Lark's records", () => {
  test('each has a reason', { timeout: 120_000 }, async () => {
    const grammars: Table = { rows: new Map(), unexplained: [] };
    const texts: Table = { rows: new Map(), unexplained: [] };
    let judged = 0;
    for (const id of ids) {
      const { grammar, files, inputs } = groups.get(id)!;
      const reading = readForLark(grammar, ({ path }) => {
        const text = files?.[path];
        return text === undefined ? undefined : { file: path, text };
      });
      const answer = await service.ask(
        { kind: 'judge', grammar: { syntax: 'lark', text: grammar }, inputs: inputs.map(({ text }) => text) },
        { milliseconds: 60_000 },
      );
      if (answer.load?.ok !== true) {
        if (reading.parser === undefined) continue;
        const why = checkGrammar(grammar, { targets: ['llguidance'] }).find(({ level }) => level === 'error');
        add(grammars, id, why?.rule);
        continue;
      }
      if (reading.parser === undefined) {
        const why = checkGrammar(grammar, { targets: ['lark'] }).find(({ level }) => level === 'error');
        add(grammars, id, why?.rule ?? (reading.refusal && render(reading.refusal)));
        continue;
      }
      for (const [index, { text }] of inputs.entries()) {
        const verdict = answer.inputs[index]!.verdict;
        const lark = judgeByLark(reading, text);
        judged++;
        const reason = explainDifference(reading, text, lark, { verdict });
        if ((lark.state === 'accepted') === verdict.accepted) expect(reason).toBeUndefined();
        else add(texts, `${id} ${JSON.stringify(text)}`, reason?.text);
      }
    }
    const counts = ({ rows }: Table): string =>
      [...rows]
        .map(([reason, { length }]) => `${length} × ${reason}`)
        .sort()
        .join('\n  ');
    console.log(`Grammars that one engine refuses, by the finding that says why:\n  ${counts(grammars)}`);
    console.log(`${judged} texts, differences by reason:\n  ${counts(texts)}`);
    expect({ grammars: grammars.unexplained, texts: texts.unexplained }).toEqual({ grammars: [], texts: [] });
    expect([...texts.rows.values()].flat().length).toBeGreaterThan(15);
  });

  test('each has a reason over the records of the engine, too', { timeout: 120_000 }, async () => {
    interface OwnRecord {
      readonly id: string;
      readonly grammar?: string;
      readonly grammars?: unknown;
      readonly limit?: string;
      readonly loads: boolean;
      readonly inputs: readonly { readonly text?: string }[];
    }
    const texts: Table = { rows: new Map(), unexplained: [] };
    for (const { id, grammar, grammars, limit, loads, inputs } of read<readonly OwnRecord[]>(
      'llguidance/vectors.json',
    )) {
      if (grammar === undefined || grammars !== undefined || limit !== undefined || !loads) continue;
      const reading = readForLark(grammar);
      if (reading.parser === undefined || inputs.some((input) => 'tokens' in input)) continue;
      const own = inputs.flatMap(({ text }) => text ?? []);
      const job = { kind: 'judge', grammar: { syntax: 'lark', text: grammar }, inputs: own } as const;
      const answer = await service.ask(job, { milliseconds: 60_000 });
      for (const [index, text] of own.entries()) {
        const { verdict } = answer.inputs[index]!;
        const lark = judgeByLark(reading, text);
        if ((lark.state === 'accepted') === verdict.accepted) continue;
        add(texts, `${id} ${JSON.stringify(text)}`, explainDifference(reading, text, lark, { verdict })?.text);
      }
    }
    expect(texts.unexplained).toEqual([]);
    expect([...texts.rows.values()].flat().length).toBeGreaterThan(40);
  });
});
