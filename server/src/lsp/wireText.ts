import { emitString } from '../core/text/emit';
import { t } from '../core/text/message';
import type { ToolDefinition } from '../core/tools/model';
import type { WebSearchMode, WireOptions } from '../core/wire/options';
import { planForCodex } from '../core/wire/plan';
import { createWire, type WireText } from '../core/wire/wire';
import type { WireMode } from '../protocol';
import { CompileMemory } from './compileMemory';
import type { FileState } from './files';
import { say } from './language';
import { resolveUri } from './uris';

/** Grammar files that the tools of a file name, by path as written. */
export type Grammars = ReadonlyMap<string, string>;

type Wire = ReturnType<typeof createWire>;

interface KnownWire {
  readonly grammars: Grammars;
  readonly wire: Wire;
}

/** Wire views of the newest states of files: several answers about one state need the same ones. */
const wires = new WeakMap<FileState, Map<WireMode, KnownWire>>();

/** The wire views of a file in one mode, with what its config says of the provider. */
export function wireOf(state: FileState, mode: WireMode, grammars: Grammars): Wire {
  const known = wires.get(state) ?? new Map<WireMode, KnownWire>();
  wires.set(state, known);
  const found = known.get(mode);
  if (found !== undefined && sameTexts(found.grammars, grammars)) return found.wire;
  const wire = createWire(state.result.set, wireOptions(state, mode, grammars));
  known.set(mode, { grammars, wire });
  return wire;
}

function sameTexts(a: Grammars, b: Grammars): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

const WEB_SEARCH: readonly WebSearchMode[] = ['disabled', 'cached', 'indexed', 'live'];

const compileMemory = new CompileMemory();

/** What settings and config say of a wire view. */
export function wireOptions(state: FileState, mode: WireMode, grammars: Grammars): WireOptions {
  const config = state.config?.config;
  return {
    mode,
    profile: state.result.profile,
    provider: config?.provider,
    webSearch: WEB_SEARCH.find((each) => each === config?.webSearch),
    grammar: (path) => grammars.get(path),
    compile: (node, options) => compileMemory.compile(state, node, options),
  };
}

/**
 * The exact JSON of a view. Where there is none, the reason as a JSON string, so that the document stays JSON and
 * nobody takes it for a tool.
 */
export function jsonOf({ text, refusal }: WireText): string {
  if (refusal === undefined) return text;
  return emitString(say(t('Not sent. {0}', refusal.message)));
}

const names = new WeakMap<FileState, ReturnType<typeof planForCodex>>();

/** The names under which the model sees a tool by Codex; `undefined` when Codex leaves it out. */
export function wireNameOf(
  state: FileState,
  tool: ToolDefinition,
): { readonly namespace: string | undefined; readonly name: string } | undefined {
  let plan = names.get(state);
  if (plan === undefined) {
    plan = planForCodex(state.result.set, wireOptions(state, 'responses', new Map()));
    names.set(state, plan);
  }
  const planned = plan.byTool.get(tool);
  if (planned === undefined || !('name' in planned.spec)) return undefined;
  return { namespace: planned.namespace?.name, name: planned.spec.name };
}

/** The texts of the grammar files that the tools of a file name, by path as written. */
export async function grammarTexts(
  { uri, result }: FileState,
  read: (uri: string) => Promise<string | undefined>,
): Promise<Grammars> {
  const texts = new Map<string, string>();
  for (const { format } of result.set.tools) {
    const path = format?.file;
    const address = path === undefined ? undefined : resolveUri(uri, path);
    const text = address === undefined ? undefined : await read(address);
    if (path !== undefined && text !== undefined) texts.set(path, text);
  }
  return texts;
}
