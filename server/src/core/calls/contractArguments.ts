import type { Judgment, SchemaValidator } from '../schema/validate';
import { type JsonNode, parseJson } from '../text/json';
import { walkJson } from '../text/jsonTree';
import { t } from '../text/message';
import { list } from '../text/words';
import { argumentFaults } from './arguments';
import type { ContractRequest } from './contractModel';
import {
  type FunctionContract,
  functionContract,
  lostMessage,
  narrowedMessage,
  noteMessage,
  ruleOf,
  undeclaredMessage,
} from './contractSchema';
import { FindingPlaces } from './findings';
import type { CallFinding, ContractVerdict } from './report';

/** Repeated keys that are told. */
const MOST_REPEATED = 20;

/** What the reader of JSON lets pass: a byte order mark, and numbers beyond the range of doubles. */
const DOUBTFUL = /^\ufeff|[eE]\+?\d{3}|\d{300}/;

/** Faults of one call that are told one by one. */
const MOST_FAULTS = 200;

/** The place of what concerns the whole. */
const ROOT = { pointer: '', offset: undefined, line: undefined, column: undefined };

/** Arguments against the schemas of a function. */
export async function judgeArguments(request: ContractRequest): Promise<ContractVerdict> {
  const { tool, text, profile } = request;
  const places = new FindingPlaces(text);
  if (text.trim() === '') return judgeEmpty(request, places);
  const { root, problems } = parseJson(text);
  const doubtful = problems.length > 0 || DOUBTFUL.test(text);
  const faults = doubtful ? argumentFaults(text) : [];
  if (faults.length > 0 || root === undefined || problems.length > 0) {
    const findings = faults.map(({ rule, message, offset }) => places.atOffset(rule, 'error', message, offset));
    if (findings.length === 0) {
      const { message, span } = problems[0]!;
      findings.push(places.atOffset('call/invalid-json', 'error', message, span.start));
    }
    return { verdict: 'rejected', findings };
  }
  const findings = repeatedKeys(root, places);
  const contract = await functionContract(tool, profile);
  if (contract === undefined) {
    if (root.kind === 'object') return { verdict: 'accepted', findings };
    const message = t('Expected an object, for arguments always are one.');
    return { verdict: 'rejected', findings: [...findings, places.atNode('call/type', 'error', message, root)] };
  }
  const { refusal } = contract.compilation;
  if (refusal !== undefined) {
    const message = t(
      'Codex refuses the schema of the tool, so it never shows the tool to the model: {0}. The source schema alone is judged.',
      refusal.message,
    );
    const rule = refusal.kind === 'null-root' ? 'codex/null-root' : 'codex/schema-unsupported';
    findings.push({ rule, level: 'warning', message, ...ROOT });
  }
  const judgment = contract.source.judge(root);
  const compiled = contract.compiled?.accepts(root);
  const accepted = judgment.accepted;
  if (!accepted && isEncodedTwice(root)) {
    const message = t(
      'The arguments are a JSON string that holds the JSON text of the arguments: they are encoded twice. Send the object itself.',
    );
    findings.push(places.atNode('call/double-encoded', 'error', message, root));
  } else findings.push(...schemaFindings(judgment, contract, places, compiled === true, tool.schemaNode!));
  if (accepted && compiled === false) findings.push(...narrowedFindings(contract.compiled!, root, places));
  return {
    verdict: accepted ? 'accepted' : 'rejected',
    findings,
    ...(compiled !== undefined && { compiled: compiled ? 'accepted' : 'rejected' }),
  };
}

/** What the compiled schema has against a value that the source schema takes. */
function narrowedFindings(compiled: SchemaValidator, root: JsonNode, places: FindingPlaces): CallFinding[] {
  return compiled
    .judge(root)
    .faults.slice(0, MOST_FAULTS)
    .map((fault) => places.atNode(ruleOf(fault.kind), 'warning', narrowedMessage(fault, compiled), fault.node));
}

/** A string whose text begins as an object or array does. */
function isEncodedTwice(root: JsonNode): boolean {
  return root.kind === 'string' && /^\s*[[{]/.test(root.text);
}

function schemaFindings(
  judgment: Judgment,
  contract: FunctionContract,
  places: FindingPlaces,
  compiledTakes: boolean,
  schemaNode: JsonNode,
): CallFinding[] {
  const findings: CallFinding[] = [];
  for (const fault of judgment.faults.slice(0, MOST_FAULTS)) {
    findings.push(places.atNode(ruleOf(fault.kind), 'error', fault.message, fault.node));
    if (!compiledTakes) continue;
    findings.push(
      places.atNode('call/lost-constraint', 'warning', lostMessage(fault, contract, schemaNode), fault.node),
    );
  }
  const left = judgment.faults.length - MOST_FAULTS;
  if (left > 0) {
    const message = t('There are {0} more faults of this kind or another.', left);
    findings.push({ rule: 'call/constraint', level: 'error', message, ...ROOT });
  }
  for (const property of judgment.undeclared.slice(0, MOST_FAULTS)) {
    findings.push(places.atNode('call/unknown-property', 'warning', undeclaredMessage(property), property.node));
  }
  for (const note of judgment.notes) {
    const { level, message } = noteMessage(note);
    findings.push({ rule: 'call/constraint', level, message, ...ROOT });
  }
  return findings;
}

/** No arguments at all. Codex's decoder refuses them, many other clients read them as `{}`. */
async function judgeEmpty({ tool, profile }: ContractRequest, places: FindingPlaces): Promise<ContractVerdict> {
  const contract = await functionContract(tool, profile);
  const empty = parseJson('{}').root!;
  const judgment = contract?.source.judge(empty);
  const compiled = contract?.compiled?.accepts(empty);
  const missing = (judgment?.faults ?? []).flatMap((fault) => (fault.kind === 'required' ? [fault.message] : []));
  const fine = judgment?.accepted ?? true;
  const message = fine
    ? t('There are no arguments. Some clients read that as {0}, which would do; decoders of JSON refuse it.', '{}')
    : missing.length > 0
      ? t('There are no arguments, and {0} would not do. {1}', '{}', list(missing.slice(0, 1)))
      : t('There are no arguments, and {0} would not do: the schema does not take an empty object.', '{}');
  const findings = [places.atOffset('call/empty-arguments', fine ? 'warning' : 'error', message, 0)];
  if (judgment?.accepted === true && compiled === false) {
    for (const fault of contract!.compiled!.judge(empty).faults.slice(0, MOST_FAULTS)) {
      findings.push(places.atOffset(ruleOf(fault.kind), 'warning', narrowedMessage(fault, contract!.compiled!), 0));
    }
  }
  return {
    verdict: fine ? 'accepted' : 'rejected',
    findings,
    ...(compiled !== undefined && { compiled: compiled ? 'accepted' : 'rejected' }),
  };
}

function repeatedKeys(root: JsonNode, places: FindingPlaces): CallFinding[] {
  const findings: CallFinding[] = [];
  walkJson(root, (node) => {
    if (node.properties.length < 2) return;
    const seen = new Set<string>();
    for (const { key, value } of node.properties) {
      if (seen.has(key) && value !== undefined && findings.length < MOST_REPEATED) {
        const message = t(
          'The key {0} stands here again. Most decoders take its last value, and strict ones refuse the call.',
          JSON.stringify(key),
        );
        findings.push(places.atNode('json/duplicate-key', 'warning', message, value));
      }
      seen.add(key);
    }
  });
  return findings;
}
