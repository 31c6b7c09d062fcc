import type { CancellationToken } from 'vscode-languageserver';
import { judgeContract } from '../core/calls/contract';
import type { CallFinding } from '../core/calls/report';
import { EmbeddedText } from '../core/text/embedded';
import type { Finding, RuleLevel } from '../core/text/finding';
import type { AttachedSample, AttachedSamples } from './attached';
import type { Files } from './files';
import { checkOptions, isForEngine } from './settings';
import { resolveUri } from './uris';
import type { Verdicts } from './verdicts';

/** The one rule about inputs that speaks without a run. */
const RULE = 'grammar/engines-differ';

/** Longer inputs are judged when calls are run. */
const MOST_UNITS = 20_000;

/** So many judged inputs are remembered. */
const MOST_KNOWN = 1_000;

/** Where the provider's engine and Lark disagree about inputs of a samples file. */
export class Differences {
  /** By grammar and input; `undefined` where they agree. */
  readonly #known = new Map<string, CallFinding | undefined>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(
    readonly parts: { readonly files: Files; readonly attached: AttachedSamples; readonly verdicts: Verdicts },
  ) {}

  /** Judges the inputs of a file and waits a moment for that, as `Verdicts.settle` does. */
  async settle(uri: string, token?: CancellationToken): Promise<void> {
    const { verdicts } = this.parts;
    if (verdicts.missing !== undefined || (await this.#level(uri)) === 'off') return;
    const open = (await this.#samples(uri)).map(({ key, sample, grammar }) => this.#judge(uri, key, sample, grammar));
    await verdicts.wait(
      open.filter((each) => each !== undefined),
      [uri],
      token,
    );
  }

  /** What is known. */
  async findings(uri: string): Promise<Finding[]> {
    const level = await this.#level(uri);
    if (level === 'off') return [];
    return (await this.#samples(uri)).flatMap(({ key, sample }): Finding[] => {
      const found = this.#known.get(key);
      if (found === undefined) return [];
      return [
        {
          rule: RULE,
          level,
          span: placeOf(sample, found.offset ?? 0),
          message: found.message,
          targets: ['openai', 'llguidance'],
          tool: sample.tool,
          pointer: undefined,
          related: [],
          fixes: [],
          unnecessary: false,
        },
      ];
    });
  }

  async #level(uri: string): Promise<RuleLevel> {
    const { sources } = this.parts.files;
    const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
    const { levels, targets } = checkOptions(await sources.settings(uri), config?.config);
    return isForEngine(targets) ? (levels?.get(RULE) ?? 'info') : 'off';
  }

  /** The inputs that are judged here, with the texts of their grammars. */
  async #samples(uri: string): Promise<{ key: string; sample: AttachedSample; grammar: string }[]> {
    const found: { key: string; sample: AttachedSample; grammar: string }[] = [];
    for (const sample of await this.parts.attached.in(uri)) {
      // Lark has no notion of a lone expression.
      if (sample.syntax === 'regex' || sample.input.length > MOST_UNITS) continue;
      const grammar = await this.#grammarText(sample);
      if (grammar !== undefined) found.push({ key: JSON.stringify([grammar, sample.input]), sample, grammar });
    }
    return found;
  }

  async #grammarText({ definition: { tool, uri } }: AttachedSample): Promise<string | undefined> {
    const { format } = tool;
    if (format?.file === undefined) return format?.definitionNode?.string;
    const file = resolveUri(uri, format.file);
    return file === undefined ? undefined : this.parts.files.sources.read(file);
  }

  #judge(uri: string, key: string, sample: AttachedSample, grammar: string): Promise<void> | undefined {
    if (this.#known.has(key)) return undefined;
    let judging = this.#asking.get(key);
    if (judging === undefined) {
      const { verdicts } = this.parts;
      const request = {
        tool: sample.definition.tool,
        kind: 'custom',
        text: sample.input,
        grammar: () => grammar,
        provider: verdicts.provider,
      } as const;
      judging = judgeContract(request).then(({ findings, provider }) => {
        this.#asking.delete(key);
        if (provider === 'unavailable') return;
        this.#known.set(
          key,
          findings.find(({ rule }) => rule === RULE),
        );
        if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
        verdicts.arrived(uri);
      });
      this.#asking.set(key, judging);
    }
    return judging;
  }
}

/** The character that the engines part at, in the JSON of the call; the name of a file with the input as a whole. */
function placeOf({ payload, lines, span }: AttachedSample, offset: number): Finding['span'] {
  if (payload.kind !== 'input') return span;
  const embedded = new EmbeddedText(lines.text, payload.node.offset);
  const end = Math.min(offset + 1, payload.text.length);
  return end <= offset ? span : embedded.spanToDocument({ start: offset, end });
}
