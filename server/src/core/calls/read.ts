import { handlerShape, readHandlers } from '../config/handlers';
import { emitJson } from '../text/emit';
import type { JsonDocument, JsonNode } from '../text/json';
import { effectiveProperties, keySpan, nodeSpan } from '../text/jsonTree';
import { t } from '../text/message';
import { any, arrayOf, mapOf, objectOf, oneOf, type Shape, shapeFaults, string } from '../text/shapes';
import { list } from '../text/words';
import type {
  CallOutcome,
  DefinitionReference,
  SampleCall,
  SampleExpectation,
  SampleFile,
  SamplePayload,
  SampleProblem,
} from './model';

/** How a call may end, in the words of sample files. */
export const CALL_OUTCOMES: readonly CallOutcome[] = ['accepted', 'rejected', 'crashed', 'timed-out', 'aborted'];

/** The keys of what a call sends; a call has one of them. */
const PAYLOAD_KEYS = ['arguments', 'input', 'inputFile'] as const;

const expectation = objectOf({
  outcome: oneOf(CALL_OUTCOMES),
  state: oneOf(CALL_OUTCOMES),
  feedback: string,
  value: any,
});

const callObject = objectOf(
  {
    name: string,
    tool: string,
    namespace: string,
    arguments: any,
    input: string,
    inputFile: string,
    expect: expectation,
    result: any,
  },
  ['tool'],
);

/** A call sends something, or it only holds a stored answer. */
const call: Shape = (node) => {
  if (node.kind === 'object' && node.has('tool') && ![...PAYLOAD_KEYS, 'result'].some((key) => node.has(key))) {
    return t('This call sends nothing: it needs "arguments", or "input" or "inputFile" for a custom tool.');
  }
  return callObject(node);
};

const SAMPLES = objectOf({ definitions: arrayOf(string, 1), handlers: mapOf(handlerShape), calls: arrayOf(call) }, [
  'definitions',
  'calls',
]);

/**
 * Reads a file of sample calls, comments and trailing commas tolerated. Whatever is faulty counts as absent and stands
 * in `problems`. Never throws.
 *
 * @param uri names the file; the paths of its handlers start in its folder
 */
export function readSamples(document: JsonDocument, uri: string): SampleFile {
  const { root } = document;
  if (root === undefined) return { document, definitions: [], handlers: [], calls: [], problems: [] };
  const calls = (root.value('calls')?.items ?? []).flatMap((node, index) =>
    node.kind === 'object' ? [readCall(node, index)] : [],
  );
  const problems: SampleProblem[] = shapeFaults(root, SAMPLES).map((fault) => ({ kind: 'shape', ...fault }));
  for (const { node } of calls) problems.push(...ambiguities(node));
  problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return {
    document,
    definitions: readDefinitions(root.value('definitions')),
    handlers: readHandlers(root.value('handlers')).map((entry) => ({ ...entry, from: uri })),
    calls,
    problems,
  };
}

function readDefinitions(node: JsonNode | undefined): DefinitionReference[] {
  return (node?.items ?? []).flatMap((item) => (item.string === undefined ? [] : { path: item.string, node: item }));
}

function readCall(node: JsonNode, index: number): SampleCall {
  const text = (key: string): JsonNode | undefined => {
    const value = node.value(key);
    return value?.kind === 'string' ? value : undefined;
  };
  const [nameNode, toolNode, namespaceNode] = [text('name'), text('tool'), text('namespace')];
  return {
    node,
    index,
    name: nameNode?.text,
    nameNode,
    tool: toolNode?.text,
    toolNode,
    namespace: namespaceNode?.text,
    namespaceNode,
    payload: readPayload(node),
    expect: readExpectation(node.value('expect')),
    result: node.value('result'),
  };
}

function readPayload(node: JsonNode): SamplePayload | undefined {
  const present = PAYLOAD_KEYS.filter((key) => node.has(key));
  if (present.length !== 1) return undefined;
  const key = present[0]!;
  const value = node.value(key);
  if (value === undefined) return undefined;
  if (key === 'arguments') {
    const raw = value.kind === 'string';
    return { kind: 'arguments', text: raw ? value.text : emitJson(value), node: value, raw };
  }
  if (value.kind !== 'string') return undefined;
  return key === 'input'
    ? { kind: 'input', text: value.text, node: value }
    : { kind: 'input-file', path: value.text, node: value };
}

/** The response item's key for a payload: functions get `arguments`, custom tools `input`. */
export function payloadKey({ kind }: SamplePayload): 'arguments' | 'input' {
  return kind === 'arguments' ? 'arguments' : 'input';
}

function readExpectation(node: JsonNode | undefined): SampleExpectation | undefined {
  if (node?.kind !== 'object') return undefined;
  return {
    node,
    outcome: outcomeOf(node.value('outcome')) ?? outcomeOf(node.value('state')),
    feedback: node.value('feedback')?.string,
    value: node.value('value'),
  };
}

function outcomeOf(node: JsonNode | undefined): CallOutcome | undefined {
  return CALL_OUTCOMES.find((outcome) => outcome === node?.string);
}

/** A call sends one thing. The second of two keys is marked, and a second word about the outcome. */
function ambiguities(node: JsonNode): SampleProblem[] {
  const problems: SampleProblem[] = [];
  const present = effectiveProperties(node).filter(({ key }) => (PAYLOAD_KEYS as readonly string[]).includes(key));
  for (const extra of present.slice(1)) {
    problems.push({
      kind: 'ambiguous-input',
      span: keySpan(extra),
      node: extra.value!,
      message: t(
        'The call has {0}, so it is open what it sends. Keep one of them: "arguments" for functions, the others for custom tools.',
        list(present.map(({ key }) => `"${key}"`)),
      ),
    });
  }
  const expected = node.value('expect');
  const [outcome, state] = [expected?.value('outcome'), expected?.value('state')];
  if (outcome !== undefined && state !== undefined && outcome.text !== state.text) {
    problems.push({
      kind: 'ambiguous-input',
      span: nodeSpan(state),
      node: state,
      message: t('"outcome" and "state" say how the call ends, and they say different things. Keep one of them.'),
    });
  }
  return problems;
}
