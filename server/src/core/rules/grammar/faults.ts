import { type Fault, FaultList } from './faultList';
import { dialectFaults } from './faultsDialect';
import { engineFaults, uncovered } from './faultsEngine';
import { gbnf } from './faultsGbnf';
import { larkFaults } from './faultsLark';
import { literalFaults } from './faultsLiterals';
import type { GrammarContext } from './grammarRule';

/** Every fault of a grammar, by the id of the rule that reports it. */
export function faultsById(context: GrammarContext): ReadonlyMap<string, readonly Fault[]> {
  const byId = new Map<string, Fault[]>();
  for (const fault of context.memo(faults)) {
    const list = byId.get(fault.id);
    if (list === undefined) byId.set(fault.id, [fault]);
    else list.push(fault);
  }
  return byId;
}

/** What keeps the grammar from loading, in either engine. */
export function faults(context: GrammarContext): readonly Fault[] {
  const list = new FaultList();
  const foreign = gbnf(context);
  // A text in another notation has one fault; all others come of it.
  if (foreign !== undefined) return [foreign];
  dialectFaults(context, list);
  literalFaults(context, list);
  larkFaults(context, list);
  engineFaults(context, list);
  uncovered(context, list);
  return list.all();
}
