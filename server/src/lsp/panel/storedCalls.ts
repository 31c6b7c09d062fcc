import { type Definitions, loadDefinitions } from '../../core/calls/definitions';
import type { ConfiguredHandlers } from '../../core/calls/handlerOf';
import type { HandlerEntry, SampleCall, SampleFile } from '../../core/calls/model';
import { readSamples } from '../../core/calls/read';
import { callName, planCall } from '../../core/calls/runCall';
import type { CallTool } from '../../core/calls/toolTable';
import { parseJson } from '../../core/text/json';
import { workspaceOf } from '../attached';
import type { FileState, Files } from '../files';
import type { Samples } from '../samples';
import { baseName, canonicalUri } from '../uris';

/** A samples file that names the definition file of the panel. */
export interface StoredFile {
  readonly uri: string;
  readonly text: string;
  readonly file: SampleFile;
  readonly definitions: Definitions;
}

/** A stored call of a tool of the file. */
export interface StoredCall {
  readonly key: string;
  readonly name: string;
  readonly in: StoredFile;
  readonly call: SampleCall;
  readonly target: CallTool;
  readonly handler: HandlerEntry | undefined;
}

/** So many calls are listed. */
const MOST_CALLS = 2000;

interface Known {
  readonly texts: readonly string[];
  readonly calls: readonly StoredCall[];
  readonly files: readonly StoredFile[];
}

/** Stored calls of the newest state of a file: a page is asked for with every key stroke. */
const known = new WeakMap<FileState, Known>();

/** The stored calls of the tools of a file, in every samples file of the workspace that names it. */
export async function storedCalls(state: FileState, files: Files, samples: Samples): Promise<Known> {
  const texts: string[] = [];
  const candidates: { readonly uri: string; readonly text: string }[] = [];
  for (const uri of await samples.all()) {
    const text = await files.sources.read(uri);
    if (text === undefined || !text.includes(baseName(state.uri))) continue;
    candidates.push({ uri, text });
    texts.push(uri, text);
  }
  const before = known.get(state);
  if (before?.texts.length === texts.length && before.texts.every((text, i) => text === texts[i])) return before;
  const own = canonicalUri(state.uri);
  const found: StoredCall[] = [];
  const all: StoredFile[] = [];
  for (const { uri, text } of candidates) {
    const file = readSamples(parseJson(text), uri);
    const definitions = await loadDefinitions(file, uri, workspaceOf(files), state.result.profile);
    if (!definitions.loaded.some((each) => canonicalUri(each.uri) === own)) continue;
    const stored: StoredFile = { uri, text, file, definitions };
    all.push(stored);
    const config = configOf(state);
    for (const call of file.calls) {
      const plan = planCall(call, { definitions, file, config });
      if (plan === undefined || canonicalUri(plan.target.uri) !== own || found.length >= MOST_CALLS) continue;
      const key = callKey(uri, call);
      found.push({ key, name: callName(call), in: stored, call, target: plan.target, handler: plan.handler });
    }
  }
  const result = { texts, calls: found, files: all };
  known.set(state, result);
  return result;
}

/** Names a stored call. */
export function callKey(uri: string, { index }: SampleCall): string {
  return `${canonicalUri(uri)}#${index}`;
}

/** The handlers that the config file of a file names. */
export function configOf({ config }: FileState): ConfiguredHandlers | undefined {
  return config === undefined ? undefined : { from: config.uri, handlers: config.config.handlers };
}
