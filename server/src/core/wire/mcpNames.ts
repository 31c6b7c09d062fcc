import type { CodexProfile } from '../profiles/codex';
import type { JsonNode } from '../text/json';
import { compareUtf8, utf8Length } from '../text/utf8';
import { sha1Hex } from './sha1';

/** A tool by the names that its server gives. */
export interface McpIdentity {
  readonly server: string;
  readonly tool: string;
}

/** The names under which the model sees an MCP tool. */
export interface McpName {
  /** Position in the list that was asked for. */
  readonly index: number;
  readonly namespace: string;
  readonly name: string;
  /** The name without a hash: what plain sanitizing makes of it. */
  readonly sanitized: string;
  /** Why a hash stands in the name: names that became equal, or a name too long. */
  readonly hashed: 'collision' | 'length' | undefined;
  /** Server namespaces became equal, so this one got a hash. */
  readonly namespaceHashed: boolean;
}

/** The names of a list of MCP tools. */
export interface McpNames {
  /** In the order in which Codex registers them: by the bytes of server and tool name. */
  readonly names: readonly McpName[];
  /** Positions of tools whose server has another tool of the very same name before them. They are dropped. */
  readonly repeated: readonly number[];
}

/** The names of the MCP tools of a session: those of servers whose tools stand in several files, by their nodes. */
export interface SessionNames {
  readonly names: ReadonlyMap<JsonNode, McpName>;
  /** Places in the order of registration. */
  readonly order: ReadonlyMap<JsonNode, number>;
  /** Tools whose server has another one of the very same name before them. They are dropped. */
  readonly repeated: ReadonlySet<JsonNode>;
}

const PREFIX = 'mcp__';
/** Bytes that Codex keeps free beside namespace and name. */
const RESERVED = 2;
const HASH_DIGITS = 12;

/** A name with `_` for every character but ASCII letters, digits and `_`; `_` for an empty one. */
export function sanitizeMcpName(name: string): string {
  const sanitized = name.replace(/[^a-zA-Z0-9_]/gu, '_');
  return sanitized === '' ? '_' : sanitized;
}

/** The namespace that a server's tools get, as long as no other server's collides with it. */
export function mcpNamespace(server: string): string {
  const sanitized = sanitizeMcpName(server);
  return sanitized.startsWith(PREFIX) ? sanitized : PREFIX + sanitized;
}

function suffix(identity: string): string {
  return `_${sha1Hex(identity).slice(0, HASH_DIGITS)}`;
}

interface Candidate {
  readonly index: number;
  readonly namespaceIdentity: string;
  readonly identity: string;
  readonly sanitized: string;
  namespace: string;
  name: string;
  hashed: McpName['hashed'];
  namespaceHashed: boolean;
}

/**
 * The namespaces and names under which Codex shows MCP tools (0.171.0, observed; 0.148.0 as read in its source, with
 * a lower limit): sanitized; hashed where namespaces or names become equal; cut and hashed where
 * `bytes(namespace) + bytes(name) + 2` is over the profile's limit.
 *
 * Both profiles hash the same text for a plain server: server, namespace and connector, then the tool's name twice
 * (as callable and as raw name), each behind a NUL. The namespace in it is the server's raw name, the connector empty.
 */
export function mcpNames(tools: readonly McpIdentity[], profile: CodexProfile): McpNames {
  const key = keyOf(tools, profile.mcpNameBytes);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const made = makeNames(tools, profile);
  if (remembered.size >= MOST_LISTS) remembered.delete(remembered.keys().next().value!);
  remembered.set(key, made);
  return made;
}

/** Names of the lists that were asked for last: hardly a key stroke changes a name. */
const remembered = new Map<string, McpNames>();
const MOST_LISTS = 8;

/** A list as text. A length in front of each name tells where it ends, whatever is in it. */
function keyOf(tools: readonly McpIdentity[], limit: number): string {
  let key = String(limit);
  let last: string | undefined;
  for (const { server, tool } of tools) {
    // Most tools have the server of the one before.
    key += server === last ? `,${tool.length}:${tool}` : `;${server.length}:${server}${tool.length}:${tool}`;
    last = server;
  }
  return key;
}

function makeNames(tools: readonly McpIdentity[], profile: CodexProfile): McpNames {
  const repeated: number[] = [];
  const candidates: Candidate[] = [];
  const seen = new Set<string>();
  for (const [index, { server, tool }] of tools.entries()) {
    const namespaceIdentity = `${server}\0${server}\0`;
    const identity = `${namespaceIdentity}\0${tool}\0${tool}`;
    if (seen.has(identity)) {
      repeated.push(index);
      continue;
    }
    seen.add(identity);
    const sanitized = sanitizeMcpName(tool);
    candidates.push({
      index,
      namespaceIdentity,
      identity,
      sanitized,
      namespace: mcpNamespace(server),
      name: sanitized,
      hashed: undefined,
      namespaceHashed: false,
    });
  }
  separateNamespaces(candidates);
  separateNames(candidates);
  candidates.sort((a, b) => compareUtf8(a.identity, b.identity));
  const used = new Set<string>();
  for (const candidate of candidates) settleLength(candidate, used, profile.mcpNameBytes);
  return { names: candidates, repeated };
}

/** Those of the candidates whose key another identity shares. */
function colliding(candidates: Candidate[], key: (c: Candidate) => string, identity: (c: Candidate) => string) {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const candidate of candidates) {
    const known = first.get(key(candidate));
    if (known === undefined) first.set(key(candidate), identity(candidate));
    else if (known !== identity(candidate)) shared.add(key(candidate));
  }
  return candidates.filter((candidate) => shared.has(key(candidate)));
}

function separateNamespaces(candidates: Candidate[]): void {
  const shared = colliding(
    candidates,
    (c) => c.namespace,
    (c) => c.namespaceIdentity,
  );
  for (const candidate of shared) {
    const hash = suffix(candidate.namespaceIdentity);
    const bare = candidate.namespace.endsWith('__') ? candidate.namespace.slice(0, -2) : undefined;
    candidate.namespace = bare === undefined ? candidate.namespace + hash : `${bare}${hash}__`;
    candidate.namespaceHashed = true;
  }
}

function separateNames(candidates: Candidate[]): void {
  const shared = colliding(
    candidates,
    (c) => `${c.namespace}\0${c.name}`,
    (c) => c.identity,
  );
  for (const candidate of shared) {
    candidate.name += suffix(candidate.identity);
    candidate.hashed = 'collision';
  }
}

/** Makes namespace and name short enough and unlike all before. Both are ASCII, so characters are bytes. */
function settleLength(candidate: Candidate, used: Set<string>, limit: number): void {
  const { namespace, name, identity } = candidate;
  const flat = namespace + name;
  if (utf8Length(flat) + RESERVED <= limit && !used.has(flat)) {
    used.add(flat);
    return;
  }
  const reason = utf8Length(flat) + RESERVED > limit ? 'length' : 'collision';
  for (let attempt = 0; ; attempt++) {
    const hash = suffix(attempt === 0 ? identity : `${identity}\0${attempt}`);
    const room = limit - namespace.length - RESERVED - hash.length;
    candidate.namespace = room >= 0 ? namespace : namespace.slice(0, limit - RESERVED - hash.length);
    candidate.name = room >= 0 ? name.slice(0, room) + hash : hash;
    const made = candidate.namespace + candidate.name;
    if (used.has(made)) continue;
    used.add(made);
    candidate.hashed = reason;
    return;
  }
}
