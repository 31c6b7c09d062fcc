import type { Checked as FixInput } from '../core/rules/fixText';
import { compareFindings } from '../core/text/finding';
import type { ServerContext } from './context';
import type { Checked } from './grammarChecks';

/** The findings of an open document; `undefined` for one that is none of ours. */
export async function checkedDocument(uri: string, context: ServerContext): Promise<Checked | undefined> {
  if (context.grammars.isFile(uri)) return context.grammarChecks.of(uri);
  if (context.samples.isFile(uri)) {
    const { findings, others } = await context.outcomes.inSamples(uri);
    return context.samples.checked(uri, [...(await context.differences.findings(uri)), ...findings], others);
  }
  const state = await context.files.state(uri);
  if (state === undefined) return undefined;
  const { version, lines, input, result } = state;
  const { findings: drift, others } = await context.outcomes.inDefinitions(state);
  const unsuited = state.kind === 'config' ? await context.configHandlers.findings(state) : [];
  const met = [...drift, ...unsuited, ...(await context.sources.findings(uri, input.text))];
  const told = met.map(({ level, message, related }) => [level, message, related]);
  const stamp = met.length === 0 ? state.stamp : `${state.stamp} ${JSON.stringify(told)}`;
  const findings = met.length === 0 ? result.findings : [...result.findings, ...met].sort(compareFindings);
  const recheck = (text: string): FixInput => context.files.recheck(state, text);
  return { uri, version, stamp, lines, text: input.text, findings, others, recheck };
}
