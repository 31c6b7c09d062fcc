import type { CodeLens, Command } from 'vscode-languageserver';
import type { CallReport } from '../core/calls/report';
import { nodeSpan, pointerOf } from '../core/text/jsonTree';
import { type Message, t } from '../core/text/message';
import type { ToolDefinition } from '../core/tools/model';
import { COMMANDS } from '../protocol';
import type { ServerContext } from './context';
import { say } from './language';

/** In a samples file: run all of it, above its list, and each call, above the call. */
export async function sampleLenses(uri: string, context: ServerContext): Promise<CodeLens[]> {
  if (context.client.options.commands !== true) return [];
  if (!(await context.files.sources.settings(uri)).lens) return [];
  const state = await context.samples.state(uri);
  if (state === undefined) return [];
  const { calls, document } = state.result.file;
  const lenses: CodeLens[] = [];
  const list = document.root?.get('calls');
  const add = (offset: number, title: Message, argument: unknown, id: string = COMMANDS.runSamples): void => {
    const start = state.lines.position(offset);
    const command = { title: say(title), command: id, arguments: [argument] };
    lenses.push({ range: { start, end: start }, command });
  };
  const outcomes = await context.outcomes.of(state);
  if (list !== undefined && calls.length > 0) add(list.keyStart, runAll(calls.length, outcomes), [{ uri }]);
  if (list !== undefined && state.result.file.handlers.length > 0) {
    add(list.keyStart, t('Find drift'), { uri }, COMMANDS.findDrift);
  }
  for (const { node, index } of calls) {
    add(nodeSpan(node).start, runAgain(outcomes.get(index)?.state), [{ uri, calls: [index] }]);
  }
  return lenses;
}

/** Signs are for the eye; the words say the same. */
function runAgain(state: CallReport['state'] | undefined): Message {
  switch (state) {
    case 'passed':
      return t('✓ Passed, run again');
    case 'failed':
      return t('✗ Failed, run again');
    case 'errored':
      return t('✗ Errored, run again');
    case 'skipped':
      return t('Skipped, run again');
    default:
      return t('Run');
  }
}

function runAll(count: number, outcomes: ReadonlyMap<number, CallReport>): Message {
  if (outcomes.size === count && count > 1) {
    const passed = [...outcomes.values()].filter(({ state }) => state === 'passed').length;
    return passed === count ? t('✓ All {0} passed, run again', count) : t('{0} of {1} passed, run all', passed, count);
  }
  return count === 1 ? t('Run 1 call') : t('Run all {0} calls', count);
}

/** Over a tool that has sample calls: run them, and look for drift where it has a handler. */
export async function toolSampleLenses(uri: string, tool: ToolDefinition, context: ServerContext): Promise<Command[]> {
  const calls = await context.samples.callsOf(uri, tool);
  if (calls.length === 0) return [];
  const byFile = new Map<string, number[]>();
  for (const { uri: file, index } of calls) byFile.set(file, [...(byFile.get(file) ?? []), index]);
  const title = say(calls.length === 1 ? t('Run 1 sample') : t('Run {0} samples', calls.length));
  const runs = [...byFile].map(([file, indexes]) => ({ uri: file, calls: indexes }));
  const run = { title, command: COMMANDS.runSamples, arguments: [runs] };
  const { sources } = context.files;
  const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
  if (!calls.some(({ handled }) => handled) && (config?.config.handlers.length ?? 0) === 0) return [run];
  const place = { uri, pointer: pointerOf(tool.node) };
  return [run, { title: say(t('Find drift')), command: COMMANDS.findDrift, arguments: [place] }];
}
