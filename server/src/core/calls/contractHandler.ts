import { emitJson } from '../text/emit';
import { type JsonNode, parseJson } from '../text/json';
import { placeAt, pointerOf, resolvePointer } from '../text/jsonTree';
import { type Message, sentences, t } from '../text/message';
import { shorten } from '../text/words';
import { grammarOfRegex, rulesAt } from './contractLark';
import type { ContractRequest } from './contractModel';
import { FindingPlaces } from './findings';
import type { HandlerOutcome } from './handler';
import type { CallFinding, ContractVerdict } from './report';

/** A call that went through both. */
export interface HandlerRequest extends ContractRequest {
  readonly contract: ContractVerdict;
  readonly outcome: HandlerOutcome;
}

/** Of a feedback or a value, so much is shown in a message. */
const SHOWN = 300;

/**
 * Where contract and handler differ: `call/parser-rejects`, `call/parser-accepts`, `handler/drops-unknown` and
 * `handler/coerces`. Never rejects.
 */
export async function judgeHandler(request: HandlerRequest): Promise<readonly CallFinding[]> {
  const { contract, outcome } = request;
  if (!wasJudged(contract)) return [];
  if (outcome.verdict === 'rejected') return contract.verdict === 'accepted' ? [await rejects(request, outcome)] : [];
  if (outcome.verdict !== 'accepted') return [];
  return [...accepts(contract), ...coercions(request, outcome.value)];
}

/** A grammar that cannot be read, or that no engine takes, says nothing about a text. */
function wasJudged({ provider, lark, verdict, judged }: ContractVerdict): boolean {
  if (judged === false) return false;
  if (provider === undefined && lark === undefined) return true;
  const decided = (state: string | undefined): boolean => state === 'accepted' || state === 'rejected';
  return decided(provider) || decided(lark) || verdict === 'accepted';
}

/** The model can send this, and the handler does not take it. */
async function rejects(
  request: HandlerRequest,
  outcome: Extract<HandlerOutcome, { verdict: 'rejected' }>,
): Promise<CallFinding> {
  const places = new FindingPlaces(request.text);
  const said = t('The handler refuses what the contract accepts: {0}', ended(shorten(outcome.feedback, SHOWN)));
  const offset = outcome.offset ?? offsetInFeedback(outcome.feedback, request.text);
  if (request.kind === 'function') {
    const { root } = parseJson(request.text);
    const place = root === undefined || offset === undefined ? undefined : placeAt(root, offset);
    const node = place?.key?.value ?? place?.node ?? root;
    if (node === undefined) return places.atOffset('call/parser-rejects', 'error', said, offset ?? 0);
    const message = sentences(said, schemaPlace(request, node));
    return places.atNode('call/parser-rejects', 'error', message, node);
  }
  const at = Math.min(offset ?? 0, request.text.length);
  return places.atOffset('call/parser-rejects', 'error', sentences(said, await rulePlace(request, at)), at);
}

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A feedback that names a line and a column, as decoders do; columns count bytes there, which is near enough. */
function offsetInFeedback(feedback: string, text: string): number | undefined {
  const match = /\bline (\d+)(?:,? col(?:umn)? (\d+))?/i.exec(feedback);
  if (match === null) return undefined;
  let start = 0;
  for (let line = 1; line < Number(match[1]); line++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  return Math.min(start + Math.max(0, Number(match[2] ?? 1) - 1), text.length);
}

/** Where in the schema the value is described. */
function schemaPlace({ tool }: ContractRequest, node: JsonNode): Message | undefined {
  if (tool.schemaNode === undefined) return undefined;
  let schema: JsonNode = tool.schemaNode;
  for (const token of pointerOf(node).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: JsonNode | undefined = /^\d+$/.test(name)
      ? (schema.value('items') ?? schema.value('properties')?.value(name))
      : schema.value('properties')?.value(name);
    if (next?.kind !== 'object') break;
    schema = next;
  }
  const pointer = pointerOf(schema, tool.schemaNode);
  return pointer === '' ? t('The schema as a whole allows it.') : t('The schema allows it at {0}.', pointer);
}

/** The rule of the grammar that the place belongs to. */
async function rulePlace({ tool, text, grammar }: ContractRequest, offset: number): Promise<Message | undefined> {
  const { format } = tool;
  if (format?.type !== 'grammar') return undefined;
  const definition = format.file === undefined ? format.definitionNode?.string : await grammar?.(format.file, tool);
  if (definition === undefined) return undefined;
  const rules = rulesAt(format.syntax === 'regex' ? grammarOfRegex(definition) : definition, text, offset);
  if (rules === undefined || rules.length === 0) return undefined;
  return t('The grammar allows it by the rule {0} ({1}).', rules.at(-1)!, rules.join(' → '));
}

/** The handler takes what the model cannot send, by the contract. */
function accepts({ verdict, findings }: ContractVerdict): CallFinding[] {
  if (verdict !== 'rejected') return [];
  const faults = findings.filter(({ rule }) => rule !== 'call/lost-constraint' && rule.startsWith('call/'));
  const errors = faults.filter(({ level }) => level === 'error');
  const first = errors[0] ?? faults[0];
  if (first === undefined) return [];
  const found: CallFinding[] = [
    {
      ...first,
      rule: 'call/parser-accepts',
      level: 'warning',
      message: t('The handler accepts what the contract refuses. {0}', first.message),
    },
  ];
  for (const fault of faults) {
    const name = JSON.stringify((fault.pointer ?? '').split('/').at(-1)!.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (fault.rule !== 'call/unknown-property' || fault.pointer === undefined) continue;
    const message = t(
      'The schema closes the object, and the handler accepts the unknown property {0} nevertheless. A misspelt argument is lost in silence; let the handler refuse it.',
      name,
    );
    found.push({ ...fault, rule: 'handler/drops-unknown', level: 'hint', message });
  }
  return found;
}

/** Values of another type that the handler accepts, and numbers that it changes. */
function coercions({ kind, text, contract }: HandlerRequest, value: string | undefined): CallFinding[] {
  if (kind !== 'function') return [];
  const { root } = parseJson(text);
  if (root === undefined) return [];
  const result = value === undefined ? undefined : parseJson(value).root;
  const found: CallFinding[] = [];
  // What only the compiled schema refuses is of the type that the source says.
  for (const fault of contract.verdict === 'rejected' ? contract.findings : []) {
    if (fault.pointer === undefined || (fault.rule !== 'call/type' && fault.rule !== 'call/stringified-json')) continue;
    const sent = resolvePointer(root, fault.pointer);
    const got = result && resolvePointer(result, fault.pointer);
    if (sent === undefined) continue;
    const message =
      got !== undefined && got.kind !== sent.kind
        ? t('The handler makes {0} of {1}, and accepts it. {2}', shown(got), shown(sent), fault.message)
        : t('The handler accepts {0}, which is of another type than the schema says. {1}', shown(sent), fault.message);
    found.push({ ...fault, rule: 'handler/coerces', level: 'warning', message });
  }
  if (result !== undefined) found.push(...changedNumbers(root, result, text));
  return found;
}

/** Numbers that come back with other digits: a double does not hold every integer of 64 bits. */
function changedNumbers(root: JsonNode, result: JsonNode, text: string): CallFinding[] {
  const places = new FindingPlaces(text);
  const found: CallFinding[] = [];
  const pairs: [JsonNode, JsonNode][] = [[root, result]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [sent, got] = pair;
    if (sent.kind !== got.kind) continue;
    if (
      sent.kind === 'number' &&
      /^-?\d{16,}$/.test(sent.text) &&
      sent.text !== got.text &&
      Number(sent.text) === Number(got.text)
    ) {
      const message = t(
        'The handler makes {0} of {1}: a double does not hold all of its digits. Send such numbers as strings.',
        got.text,
        sent.text,
      );
      found.push(places.atNode('handler/coerces', 'warning', message, sent));
    }
    for (let i = 0; i < Math.min(sent.items.length, got.items.length); i++) pairs.push([sent.items[i]!, got.items[i]!]);
    for (const { key, value: inner } of sent.properties) {
      const other = got.value(key);
      if (inner !== undefined && other !== undefined) pairs.push([inner, other]);
    }
  }
  return found;
}

function shown(node: JsonNode): string {
  return shorten(emitJson(node), 60);
}
