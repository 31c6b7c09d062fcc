import type { Checked as FixInput } from '../core/rules/fixText';
import type { ServerContext } from './context';
import type { Checked } from './grammarChecks';

/** The findings of an open document; `undefined` for one that is none of ours. */
export async function checkedDocument(uri: string, context: ServerContext): Promise<Checked | undefined> {
  if (context.grammars.isFile(uri)) return context.grammarChecks.of(uri);
  if (context.samples.isFile(uri)) return context.samples.checked(uri, await context.differences.findings(uri));
  const state = await context.files.state(uri);
  if (state === undefined) return undefined;
  const { version, stamp, lines, input, result } = state;
  const recheck = (text: string): FixInput => context.files.recheck(state, text);
  return { uri, version, stamp, lines, text: input.text, findings: result.findings, recheck };
}
