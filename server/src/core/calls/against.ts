import { judgeContract } from './contract';
import type { SampleCall } from './model';
import { payloadKey } from './read';
import type { ContractVerdict } from './report';
import { routeCall } from './route';
import { type CallContext, callName } from './runCall';

/**
 * What a changed definition does to a stored call.
 *
 * - `same`: both contracts say the same
 * - `broken`: it was accepted, and is not any more
 * - `repaired`: it was refused, and is accepted now
 * - `added`, `removed`: the tool is there only now, or was there only before
 * - `unclear`: neither can be judged
 */
export type CallChange = 'same' | 'broken' | 'repaired' | 'added' | 'removed' | 'unclear';

/** A stored call by an old and by the new contract. */
export interface CallComparison {
  readonly call: SampleCall;
  readonly name: string;
  readonly tool: string;
  readonly namespace: string | undefined;
  readonly change: CallChange;
  /** `undefined` where the tool is missing, or takes no such payload; not judged where definitions cannot be read. */
  readonly before: ContractVerdict | undefined;
  readonly after: ContractVerdict | undefined;
}

/** Judges a stored call by two sets of definitions. Runs no handler. Never rejects. */
export async function compareCall(call: SampleCall, before: CallContext, after: CallContext): Promise<CallComparison> {
  // What the call sends is the same on both sides, so its input file is read as it is now.
  const text = await payloadText(call, after);
  const old = text === undefined ? undefined : await judge(call, text, before);
  const now = text === undefined ? undefined : await judge(call, text, after);
  return {
    call,
    name: callName(call),
    tool: call.tool ?? '',
    namespace: call.namespace,
    change: changeOf(old, now),
    before: old,
    after: now,
  };
}

function changeOf(before: ContractVerdict | undefined, after: ContractVerdict | undefined): CallChange {
  if (before?.judged === false && before.findings.length === 0) return 'unclear';
  if (after?.judged === false && after.findings.length === 0) return 'unclear';
  if (before === undefined) return after === undefined ? 'unclear' : 'added';
  if (after === undefined) return 'removed';
  // A grammar that nobody takes any more breaks whoever called the tool.
  const gone = before.judged !== false && before.verdict === 'accepted' && after.verdict === 'rejected';
  if ((before.judged === false || after.judged === false) && !gone) return 'unclear';
  if (before.verdict === after.verdict) return 'same';
  return after.verdict === 'accepted' ? 'repaired' : 'broken';
}

async function payloadText({ payload }: SampleCall, { workspace, uri }: CallContext): Promise<string | undefined> {
  if (payload?.kind !== 'input-file') return payload?.text;
  const read = await workspace.read(payload.path, uri);
  return 'failure' in read ? undefined : read.text;
}

async function judge(call: SampleCall, text: string, context: CallContext): Promise<ContractVerdict | undefined> {
  const { tool, namespace, payload } = call;
  if (tool === undefined || payload === undefined) return undefined;
  const route = routeCall({ name: tool, namespace, kind: payloadKey(payload), text }, context.definitions.table);
  if (route.kind !== 'tool') {
    // What the definitions would have said that cannot be read is open.
    const { missing } = context.definitions;
    return missing.length > 0 ? { verdict: 'accepted', findings: [], judged: false } : undefined;
  }
  const { target } = route;
  return judgeContract({
    tool: target.tool,
    kind: route.form === 'custom' ? 'custom' : 'function',
    text,
    profile: context.profile,
    provider: context.provider,
    grammar: async (path) => {
      const read = await context.workspace.read(path, target.uri);
      return 'failure' in read ? undefined : read.text;
    },
  });
}
