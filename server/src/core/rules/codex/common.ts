import type { PassName } from '../../profiles/codex';
import type { CompileResult } from '../../schema/compile';
import type { StageName, TraceAction, TraceEvent } from '../../schema/trace';
import type { ToolContext } from '../rule';

/** The compilation of a tool's schema that Codex accepts; `undefined` without a schema or when Codex refuses it. */
export function accepted(context: ToolContext): CompileResult | undefined {
  const result = context.compile();
  return result === undefined || result.refusal !== undefined ? undefined : result;
}

const PASS_NUMBERS: Record<PassName, number> = { descriptions: 1, definitions: 2, depth: 3, compositions: 4 };

/** The number of a pass as people count them, or `undefined` for other stages. */
export function passNumber(stage: StageName): number | undefined {
  return stage in PASS_NUMBERS ? PASS_NUMBERS[stage as PassName] : undefined;
}

/**
 * Events of one action that still show in the result: those of schemas that no later stage and no ancestor removes.
 */
export function liveEvents(context: ToolContext, action: TraceAction): readonly TraceEvent[] {
  return context.memo(liveByAction).get(action) ?? [];
}

function liveByAction(context: ToolContext): ReadonlyMap<TraceAction, readonly TraceEvent[]> {
  const result = accepted(context);
  const byAction = new Map<TraceAction, TraceEvent[]>();
  if (result === undefined) return byAction;
  const removes = result.events.some(({ action }) => action === 'emptied' || action.endsWith('-removed'));
  for (const event of result.events) {
    if (removes && !isLive(result, event)) continue;
    const list = byAction.get(event.action);
    if (list === undefined) byAction.set(event.action, [event]);
    else list.push(event);
  }
  return byAction;
}

function isLive(result: CompileResult, event: TraceEvent): boolean {
  if (event.action === 'definition-removed') return true;
  const fate = result.fate(event.node);
  if (fate.status === 'dropped') return false;
  // A schema that became `{}` has lost what happened to it before.
  return fate.event?.action !== 'emptied' || fate.event === event;
}
