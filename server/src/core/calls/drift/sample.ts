import { appendItem, insertProperty } from '../../text/edits';
import { emitJson } from '../../text/emit';
import type { TextEdit } from '../../text/finding';
import { type JsonNode, parseJson } from '../../text/json';
import { formatLike } from '../../text/style';
import { shorten } from '../../text/words';
import type { Drift } from './model';

/** What a stored drift says of itself besides the input. */
export interface DriftTool {
  readonly tool: string;
  /** Needed where the name alone leads to no tool, or to several. */
  readonly namespace: string | undefined;
  readonly kind: 'function' | 'custom';
}

/** Characters of a name and of a feedback that are stored. */
const MOST_NAME = 70;
const MOST_FEEDBACK = 200;

/**
 * Edits that store a drift as the last call of a samples file, laid out as its neighbors are. The call expects what the
 * handler does today. Empty where the text is no samples file, or holds the same input of the tool already.
 */
export function sampleFromDrift(text: string, drift: Drift, tool: DriftTool): readonly TextEdit[] {
  const { root } = parseJson(text);
  if (root?.kind !== 'object') return [];
  const calls = root.value('calls');
  if (calls === undefined) {
    if (root.has('calls')) return [];
    return insertProperty(text, root, 'calls', formatLike(text, root, parsed([call(drift, tool, nameOf(drift, []))])));
  }
  if (calls.kind !== 'array' || calls.items.some((each) => isSame(each, drift, tool))) return [];
  const taken = calls.items.flatMap((each) => each.value('name')?.string ?? []);
  const node = parsed(call(drift, tool, nameOf(drift, taken)));
  return appendItem(text, calls, formatLike(text, calls, node));
}

/** A new samples file for a definition file, without calls. */
export function newSamplesText(definition: string): string {
  return `${JSON.stringify({ definitions: [definition], calls: [] }, undefined, 2)}\n`;
}

function parsed(value: object): JsonNode {
  return parseJson(JSON.stringify(value)).root!;
}

function call(drift: Drift, { tool, namespace, kind }: DriftTool, name: string): object {
  const { handler } = drift;
  const [feedback = ''] = handler.feedback.split('\n');
  return {
    name,
    tool,
    ...(namespace !== undefined && { namespace }),
    [kind === 'function' ? 'arguments' : 'input']: kind === 'function' ? argumentsOf(drift.input) : drift.input,
    expect: {
      outcome: handler.verdict,
      ...(handler.verdict === 'rejected' && feedback !== '' && { feedback: feedback.slice(0, MOST_FEEDBACK) }),
    },
  };
}

/** The object itself where it says exactly what was sent, else the raw text. */
function argumentsOf(input: string): unknown {
  const { root, problems } = parseJson(input);
  if (root?.kind !== 'object' || problems.length > 0) return input;
  const value: unknown = JSON.parse(input);
  return JSON.stringify(value) === input && emitJson(root) === input ? value : input;
}

function isSame(node: JsonNode, { input }: Drift, { tool, kind }: DriftTool): boolean {
  if (node.value('tool')?.string !== tool) return false;
  const sent = node.value(kind === 'function' ? 'arguments' : 'input');
  if (sent === undefined) return false;
  return (sent.string ?? emitJson(sent)) === input;
}

function nameOf({ kind, feedback }: Drift, taken: readonly string[]): string {
  const [first = ''] = feedback.split('\n');
  const side = kind === 'contract-accepts' ? 'handler refuses' : 'handler accepts';
  const name = shorten(`drift, ${side}: ${first}`, MOST_NAME);
  let unique = name;
  for (let i = 2; taken.includes(unique); i++) unique = `${name} (${i})`;
  return unique;
}
