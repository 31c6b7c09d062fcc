import type { BuiltinResult } from './builtinResult';
import { decodeSerde, serdeErrorText } from './serdeJson';
import { type SerdeStruct, serdeText } from './serdeModel';

/** The arguments of Codex's `update_plan` (0.148.0, read; texts of its refusals observed). */
const ARGUMENTS: SerdeStruct = {
  kind: 'struct',
  name: 'UpdatePlanArgs',
  fields: [
    { name: 'explanation', type: { kind: 'option', inner: { kind: 'string' } }, defaulted: true },
    {
      name: 'plan',
      type: {
        kind: 'sequence',
        item: {
          kind: 'struct',
          name: 'PlanItemArg',
          fields: [
            { name: 'step', type: { kind: 'string' } },
            { name: 'status', type: { kind: 'enum', variants: ['pending', 'in_progress', 'completed'] } },
          ],
        },
      },
    },
  ],
};

/** What the model reads when a plan was taken. */
export const PLAN_UPDATED = 'Plan updated';

/**
 * Reads the arguments of `update_plan` as Codex does. Its Rust types decide, not the schema that the model sees: unknown
 * keys are refused, the positional forms are taken, and nothing limits how many steps are in progress.
 */
export function parseUpdatePlan(text: string): BuiltinResult {
  const result = decodeSerde(text, ARGUMENTS);
  if (result.ok) return { ok: true, value: serdeText(result.value), notes: [PLAN_UPDATED] };
  const feedback = `failed to parse function arguments: ${serdeErrorText(result.error)}`;
  return { ok: false, feedback, offset: result.error.offset };
}
