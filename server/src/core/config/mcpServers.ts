import type { JsonDocument, JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { type Message, t } from '../text/message';

/** A server that an editor's file of MCP servers names. */
export interface NamedServer {
  readonly name: string;
  readonly node: JsonNode;
  /** How it is started, or why ToolSpec cannot do that. */
  readonly start: ServerStart | { readonly problem: Message };
}

export interface ServerStart {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  /** Values may hold `${env:NAME}`, which is filled in when the server is started. */
  readonly env: ReadonlyMap<string, string>;
}

/** What stands for the variables of such a file. */
export interface ServerVariables {
  /** For `${workspaceFolder}`. */
  readonly workspaceFolder: string;
  /** For `${userHome}`. */
  readonly userHome: string;
  /** For `${env:NAME}` in programs, arguments and folders. */
  env(name: string): string | undefined;
}

/**
 * Reads the servers of VS Code's `.vscode/mcp.json` (`servers`), or of a file of the form that other programs share
 * (`mcpServers`).
 *
 * Servers that are reached over HTTP are named with the reason why they cannot be used: ToolSpec opens no connection.
 */
export function readMcpServers(document: JsonDocument, variables: ServerVariables): NamedServer[] {
  const root = document.root;
  const servers = root?.value('servers') ?? root?.value('mcpServers');
  if (servers?.kind !== 'object') return [];
  return effectiveProperties(servers).flatMap(({ key, value }) =>
    value === undefined ? [] : [{ name: key, node: value, start: readServer(value, variables) }],
  );
}

function readServer(node: JsonNode, variables: ServerVariables): NamedServer['start'] {
  const type = node.value('type')?.string ?? (node.has('url') ? 'http' : 'stdio');
  if (type !== 'stdio') {
    return {
      problem: t(
        'It is reached over {0}. ToolSpec opens no connection, so it starts servers of the type "stdio" only.',
        type,
      ),
    };
  }
  const program = node.value('command')?.string;
  if (program === undefined) return { problem: t('It has no "command" that could be started.') };
  if (node.has('envFile')) {
    return {
      problem: t('It takes variables from a file ("envFile"), which ToolSpec does not read. Put them into "env".'),
    };
  }
  const expansion = new Expansion(variables);
  const words = [program, ...(node.value('args')?.items ?? []).flatMap((item) => item.string ?? [])];
  const command = words.map((word) => expansion.of(word, true));
  const folder = node.value('cwd')?.string;
  const cwd = folder === undefined ? undefined : expansion.of(folder, true);
  const env = new Map<string, string>();
  for (const { key, value } of environment(node)) env.set(key, expansion.of(value, false));
  const asked = [...expansion.inputs][0];
  if (asked !== undefined) {
    return {
      problem: t(
        'It asks for the input "{0}" when it starts, which ToolSpec cannot answer. Use a variable of the environment in its place.',
        asked,
      ),
    };
  }
  const unknown = [...expansion.unknown][0];
  if (unknown !== undefined) return { problem: t('ToolSpec has no value for {0}.', unknown) };
  return { command, cwd, env };
}

function environment(node: JsonNode): { readonly key: string; readonly value: string }[] {
  const env = node.value('env');
  if (env?.kind !== 'object') return [];
  return effectiveProperties(env).flatMap(({ key, value }) => {
    if (value?.kind === 'string' || value?.kind === 'number') return [{ key, value: value.text }];
    return [];
  });
}

/** Fills in variables, and notes those that nothing stands for. */
class Expansion {
  readonly inputs = new Set<string>();
  readonly unknown = new Set<string>();

  constructor(readonly variables: ServerVariables) {}

  of(text: string, withEnvironment: boolean): string {
    return text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => {
      const [kind = '', argument] = split(name);
      if (kind === 'workspaceFolder') return this.variables.workspaceFolder;
      if (kind === 'userHome') return this.variables.userHome;
      if (kind === 'pathSeparator' || kind === '/') return '/';
      if (kind === 'env' && argument !== undefined) {
        return withEnvironment ? (this.variables.env(argument) ?? '') : whole;
      }
      if (kind === 'input' && argument !== undefined) this.inputs.add(argument);
      else this.unknown.add(whole);
      return whole;
    });
  }
}

function split(name: string): [string, string | undefined] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)];
}
