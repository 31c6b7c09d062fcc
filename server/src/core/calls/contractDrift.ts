import { type Message, t } from '../text/message';
import type { Span } from '../text/span';
import { list } from '../text/words';
import type { ToolDefinition } from '../tools/model';
import type { CallFinding, CallReport } from './report';

/** Rules that say that contract and handler differ. */
const DRIFT: ReadonlySet<string> = new Set(['call/parser-rejects', 'call/parser-accepts']);

/** Calls that a finding at the contract names. */
const MOST_NAMED = 3;

/** What a run says of a call, as far as the contract is concerned. */
export type DriftingCall = Pick<CallReport, 'name' | 'state' | 'findings' | 'target'>;

/** How the handler of a tool differs from its contract, over all calls that a run found it in. */
export interface ContractDrift<T extends DriftingCall> {
  readonly uri: string;
  readonly tool: ToolDefinition;
  /** The finding of the first call. */
  readonly first: CallFinding;
  readonly message: Message;
  readonly calls: readonly { readonly call: T; readonly finding: CallFinding }[];
}

/** Whether a finding about a call says that contract and handler differ. */
export function isDrift({ rule }: Pick<CallFinding, 'rule'>): boolean {
  return DRIFT.has(rule);
}

/**
 * Differences of contract and handler by tool and kind, for findings at the contract. Calls that pass are left out:
 * whoever wrote down that the two differ there knows it.
 */
export function contractDrift<T extends DriftingCall>(calls: Iterable<T>): ContractDrift<T>[] {
  const groups = new Map<string, { call: T; finding: CallFinding }[]>();
  for (const call of calls) {
    const { target, findings, state } = call;
    if (target === undefined || state === 'passed') continue;
    for (const finding of findings.filter(isDrift)) {
      const { name, namespace, node } = target.tool;
      const key = JSON.stringify([target.uri, name ?? node.offset, namespace?.name ?? '', finding.rule]);
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ call, finding });
    }
  }
  return [...groups.values()].map((group) => {
    const [{ call, finding }] = group as [(typeof group)[number]];
    const names = list(
      group.map((each) => each.call.name),
      MOST_NAMED,
    );
    const message =
      finding.rule === 'call/parser-rejects'
        ? t('The handler refuses what this contract accepts, in the sample calls: {0}.', names)
        : t('The handler accepts what this contract refuses, in the sample calls: {0}.', names);
    const { uri, tool } = call.target!;
    return { uri, tool, first: finding, message, calls: group };
  });
}

/** The name of a tool, else the bracket that opens it. */
export function toolSpan({ nameNode, node }: ToolDefinition): Span {
  return nameNode === undefined
    ? { start: node.offset, end: node.offset + 1 }
    : { start: nameNode.offset, end: nameNode.end };
}
