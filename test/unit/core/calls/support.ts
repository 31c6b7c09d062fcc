import type { SampleFile } from '../../../../server/src/core/calls/model';
import { readSamples } from '../../../../server/src/core/calls/read';
import type { CallReport } from '../../../../server/src/core/calls/report';
import type { SampleWorkspace } from '../../../../server/src/core/calls/workspace';
import {
  type RunEnvironment,
  type RunOptions,
  runSamples,
  type SamplesRun,
} from '../../../../server/src/core/runSamples';
import { parseJson } from '../../../../server/src/core/text/json';
import { t } from '../../../../server/src/core/text/message';

/** Where the samples of tests lie. */
export const SAMPLES_URI = '/w/t.samples.json';

/** A schema of an object. */
export const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

/** A function tool. */
export const fn = (name: string, parameters: object = schema({}), more: object = {}): object => ({
  type: 'function',
  name,
  description: 'd',
  parameters,
  ...more,
});

/** A tool that the builtin handler `update_plan` takes. */
export const PLAN = fn('update_plan', schema({ plan: { type: 'array', items: {} } }));

/** The value of the output item of a call. */
export const output = ({ output }: CallReport): unknown => (output === undefined ? undefined : JSON.parse(output));

export type Files = Readonly<Record<string, unknown>>;

/** Files by their paths from `/w`; values that are no texts are written as JSON. */
export function workspaceOf(files: Files): SampleWorkspace {
  return {
    read: async (path, from) => {
      const folder = from.slice(0, from.lastIndexOf('/'));
      const uri = path.startsWith('/') ? path : `${folder}/${path.replace(/^\.\//, '')}`;
      const content = files[uri.replace('/w/', '')];
      if (content === undefined) return { failure: t('does not exist') };
      return { uri, text: typeof content === 'string' ? content : JSON.stringify(content) };
    },
  };
}

export function readText(text: string): SampleFile {
  return readSamples(parseJson(text), SAMPLES_URI);
}

/** An environment with a clock that goes one millisecond with each look. */
export function environmentOf(files: Files, more: Partial<RunEnvironment> = {}): RunEnvironment {
  let now = 0;
  return {
    workspace: workspaceOf(files),
    folderOf: (uri) => uri.slice(0, uri.lastIndexOf('/')),
    now: () => now++,
    ...more,
  };
}

/** Runs a samples file over `t.tools.json`. */
export async function runFile(
  samples: Files,
  tools: unknown,
  options: RunOptions = {},
  more: Partial<RunEnvironment> = {},
  files: Files = {},
): Promise<SamplesRun> {
  const text = JSON.stringify({ definitions: ['./t.tools.json'], ...samples });
  const environment = environmentOf({ 't.tools.json': tools, ...files }, more);
  return runSamples({ uri: SAMPLES_URI, text }, environment, options);
}

/** Runs one call. */
export async function runOne(
  call: Files,
  tools: unknown,
  handlers: Files = {},
  more: Partial<RunEnvironment> = {},
  files: Files = {},
): Promise<CallReport> {
  const { reports } = await runFile({ handlers, calls: [call] }, tools, {}, more, files);
  return reports[0]!;
}
