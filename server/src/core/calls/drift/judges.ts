import type { GrammarParser } from '../../grammar/engine';
import type { Provider, ProviderAnswer, ProviderGrammar } from '../../grammar/provider';
import type { CodexProfile } from '../../profiles/codex';
import { LineIndex } from '../../text/lines';
import { lines, type Message, render, t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import { judgeContract } from '../contract';
import { judgeBy, type LarkReading } from '../contractLark';
import type { CancelSignal, HandlerOutcome, HandlerRunner } from '../handler';
import { jsonTextError } from '../jsonText';
import type { HandlerSpec } from '../model';
import type { ContractVerdict } from '../report';
import { runBuiltin } from '../runBuiltin';
import type { ContractSide, DriftJudge, HandlerSide } from './model';

/** The engine may take this long for a batch. */
const BATCH_MILLISECONDS = 20_000;

/** What the compiled schema says where the source has nothing against an input: Codex makes a string of `true`. */
const NARROWED = t('The compiled schema, which is what the model sees, refuses what the source schema accepts.');

/** What both sides of one tool are asked with. */
export interface JudgeContext {
  readonly tool: ToolDefinition;
  readonly kind: 'function' | 'custom';
  readonly profile: CodexProfile;
  /** The grammar of a custom tool; `undefined` for free text. */
  readonly grammar: ProviderGrammar | undefined;
  /** The same as Lark reads it. */
  readonly reading: LarkReading | undefined;
  readonly provider: Provider | undefined;
  readonly spec: HandlerSpec;
  /** Absolute path of the folder that the handler's paths start in. */
  readonly folder: string;
  /** Needed for handlers that are no builtin. */
  readonly handlers: HandlerRunner | undefined;
  readonly signal: CancelSignal | undefined;
}

/** Judges inputs by the contract of a tool and by its handler, many at a time. */
export function driftJudge(context: JudgeContext): DriftJudge {
  return new ToolJudge(context);
}

class ToolJudge implements DriftJudge {
  /** Verdicts of the last batch, for builtin handlers that say what the contract says. */
  readonly #last = new Map<string, ContractVerdict>();
  #calls = 0;

  constructor(private readonly context: JudgeContext) {}

  async contract(texts: readonly string[]): Promise<readonly ContractSide[]> {
    this.#last.clear();
    return this.context.kind === 'function' ? this.#functions(texts) : this.#inputs(texts);
  }

  async #functions(texts: readonly string[]): Promise<ContractSide[]> {
    const { tool, profile } = this.context;
    const sides: ContractSide[] = [];
    for (const text of texts) {
      const verdict = await judgeContract({ tool, kind: 'function', text, profile });
      this.#last.set(text, verdict);
      const source = verdict.verdict === 'accepted';
      const accepted = (verdict.compiled ?? verdict.verdict) === 'accepted';
      if (source && accepted) sides.push({ accepted, lost: false, feedback: '' });
      else sides.push(new Refusal(accepted, () => wordsOf(verdict) ?? (source ? NARROWED : undefined)));
    }
    return sides;
  }

  async #inputs(texts: readonly string[]): Promise<ContractSide[]> {
    const { grammar, provider } = this.context;
    if (grammar === undefined) return texts.map(() => ({ accepted: true, lost: false, feedback: '' }));
    const answer = await provider?.ask({ kind: 'judge', grammar, inputs: texts }, { milliseconds: BATCH_MILLISECONDS });
    return texts.map((text, i) => this.#input(text, answer, i));
  }

  #input(text: string, answer: ProviderAnswer | undefined, index: number): ContractSide {
    const judged = answer?.inputs[index]?.verdict;
    const { reading, spec } = this.context;
    // Where the provider's engine has no verdict, Lark's stands.
    const decided = judged !== undefined && judged.error === undefined ? judged.accepted : undefined;
    const wantsLark = decided === undefined || isLarksOwn(spec);
    const lark = wantsLark ? larkAccepts(reading?.lenient, text) : undefined;
    const verdict = decided ?? lark;
    const accepted = verdict ?? false;
    this.#last.set(text, {
      verdict: accepted ? 'accepted' : 'rejected',
      findings: [],
      ...(lark !== undefined && { lark: lark ? 'accepted' : 'rejected' }),
    });
    if (verdict === undefined) return { accepted, lost: false, feedback: '', open: true };
    if (accepted) return { accepted, lost: false, feedback: '' };
    return new Refusal(false, () => mismatch(text, judged?.offset, reading));
  }

  async handler(texts: readonly string[]): Promise<readonly HandlerSide[]> {
    const outcomes = await Promise.all(texts.map((text) => this.#call(text)));
    return outcomes.map(({ verdict, ...rest }) => {
      if (verdict === 'accepted') return { verdict, feedback: '' };
      if ('feedback' in rest) return { verdict, feedback: rest.feedback };
      return 'detail' in rest ? { verdict, feedback: rest.detail, stop: rest.stop } : { verdict, feedback: '' };
    });
  }

  async #call(text: string): Promise<HandlerOutcome> {
    const { spec, tool, kind, folder, handlers, signal } = this.context;
    const namespace = tool.namespace?.name;
    const request = { id: `fuzz_${++this.#calls}`, tool: tool.name ?? '', namespace, kind, text };
    if (spec.kind === 'builtin') {
      const contract = this.#last.get(text) ?? { verdict: 'rejected', findings: [] };
      return runBuiltin(spec.name, request, contract) ?? { verdict: 'aborted', detail: '', notes: [] };
    }
    if (spec.kind === 'mcp') {
      // What is no JSON never reaches the server; blank arguments are none (Codex 0.171.0, as read in its source).
      const error = text.trim() === '' ? undefined : jsonTextError(text);
      if (error !== undefined) return { verdict: 'rejected', feedback: `err: ${error}`, notes: [] };
    }
    return handlers?.call(spec, folder, request, signal) ?? { verdict: 'aborted', detail: '', notes: [] };
  }
}

/** Lark's verdict on a text; `undefined` where it gives up, or does not take the grammar. */
function larkAccepts(parser: GrammarParser | undefined, text: string): boolean | undefined {
  const result = parser?.parse(text, { tree: false });
  return result === undefined || (!result.accepted && result.error.kind === 'too-complex')
    ? undefined
    : result.accepted;
}

/** Whether the handler is Lark's reading of the grammar itself. */
function isLarksOwn(spec: HandlerSpec): boolean {
  return spec.kind === 'builtin' && spec.name === 'grammar';
}

/** A refusal, or a constraint that was lost. Its words take longer than the verdict, and most are never read. */
class Refusal implements ContractSide {
  #make: (() => Message | undefined) | undefined;
  #words: Message | undefined;
  #feedback: string | undefined;

  /** @param accepted by the compiled schema, where only the source refuses */
  constructor(
    readonly accepted: boolean,
    make: () => Message | undefined,
  ) {
    this.#make = make;
  }

  get lost(): boolean {
    return this.accepted;
  }

  get words(): Message | undefined {
    this.#words ??= this.#make?.();
    this.#make = undefined;
    return this.#words;
  }

  get feedback(): string {
    this.#feedback ??= this.words === undefined ? '' : render(this.words);
    return this.#feedback;
  }
}

/** The errors of a contract, each with its place in the arguments; `undefined` where there are none. */
function wordsOf({ findings }: ContractVerdict): Message | undefined {
  const errors = findings
    .filter(({ level }) => level === 'error')
    .map(({ pointer, message }) => (pointer ? t('{0}: {1}', pointer, message) : message));
  return errors.length === 0 ? undefined : lines(errors);
}

/** The first character that does not fit, and what the grammar wants there. */
function mismatch(text: string, offset: number | undefined, reading: LarkReading | undefined): Message {
  const lark = reading?.lenient === undefined ? undefined : judgeBy(reading.lenient, text);
  const at = offset ?? (lark?.verdict === 'rejected' ? lark.offset : undefined);
  if (at === undefined) return t('The grammar does not take this.');
  const { line, character } = new LineIndex(text).position(at);
  const found = characterWords(text, at);
  const place = `${line + 1}:${character + 1}`;
  if (lark?.verdict !== 'rejected' || lark.expected.length === 0)
    return t('The grammar refuses {0} at {1}.', found, place);
  const wanted = lark.expected.map(({ name, literal }) =>
    literal === undefined ? name : JSON.stringify(literal).slice(1, -1),
  );
  return t('The grammar refuses {0} at {1}, where it expects {2}.', found, place, [...new Set(wanted)].join(' | '));
}

function characterWords(text: string, offset: number): Message | string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0x20);
  if (offset >= text.length) return t('the end of the input');
  if (character === '\n') return t('a line end');
  if (character === '\r') return t('a carriage return');
  if (/\s/u.test(character)) return t('a blank');
  return JSON.stringify(character);
}
