import { type CodexProfile, DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import { compileSchema } from '../schema/compile';
import { emitString } from '../text/emit';
import { type JsonNode, parseJson } from '../text/json';
import { render, t } from '../text/message';
import { readDynamicTools } from './dynamic';
import { dynamicSpecs } from './dynamicSpecs';
import { ABSENT_IN_SILENCE, type McpServer, type McpTools, readMcpServers } from './mcpServer';
import { emitSpec, emitSpecs } from './spec';

/** The server of a function that goes by MCP; its name is part of hashes. */
const LONE_SERVER = 'oracle';

/** Options of the batch forms. */
export interface LineOptions {
  readonly profile?: CodexProfile | undefined;
}

/** The members of an answer behind `ok`. */
type Answer = { readonly ok: true; readonly members: string } | { readonly ok: false; readonly members: string };

/**
 * Answers one line of `toolspec wire --jsonl`: `{"id","route","via"?,"input","inputSchemaText"?}`.
 *
 * Gives one line without its end: `{"id","ok":true,"wireText","warnings"}` or `{"id","ok":false,"error"}`. The id is
 * given back as it is spelled; a line that is no request has the id null. Never throws.
 */
export function wireLine(given: string, options: LineOptions = {}): string {
  return answered(given, (request, line) => {
    const profile = options.profile ?? DEFAULT_CODEX_PROFILE;
    const route = request.value('route')?.string;
    const via = viaOf(request);
    if (via === undefined) return refused(BAD_VIA);
    const input = inputOf(request, line, route);
    if (typeof input === 'string') return refused(input);
    switch (route) {
      case 'function':
        return via === 'mcp' ? mcpFunction(input, profile) : dynamicFunction(input, profile);
      case 'mcp-server':
        return mcpServers(input, profile);
      case 'dynamic-list':
        return dynamicList(input, profile);
      default:
        return refused('"route" must be "function", "mcp-server" or "dynamic-list".');
    }
  });
}

/**
 * Answers one line of `toolspec compile --jsonl`: `{"id","inputSchema"|"inputSchemaText","via"?}`.
 *
 * Gives one line without its end: `{"id","ok":true,"schemaText","bytes","passes","unreachable"}` or
 * `{"id","ok":false,"error","pointer"}`. The id is given back as it is spelled; a line that is no request has the id
 * null. Never throws.
 */
export function compileLine(line: string, options: LineOptions = {}): string {
  return answered(line, (request) => {
    const via = viaOf(request);
    if (via === undefined) return refused(BAD_VIA);
    const text = request.value('inputSchemaText');
    if (text !== undefined && text.kind !== 'string') return refused(TEXT_IS_NO_STRING);
    const schema = text === undefined ? request.value('inputSchema') : strictRoot(text.text);
    if (typeof schema === 'string') return refused(`"inputSchemaText": ${schema}`);
    if (schema === undefined) return refused('The request has neither "inputSchema" nor "inputSchemaText".');
    const result = compileSchema(schema, { profile: options.profile ?? DEFAULT_CODEX_PROFILE, via });
    const { refusal } = result;
    if (refusal !== undefined) {
      const pointer = emitString(refusal.pointer);
      return { ok: false, members: `"error":${emitString(refusal.message)},"pointer":${pointer}` };
    }
    const passes = emitStrings(result.passes);
    const unreachable = emitStrings(result.unreachable.map((definition) => definition.pointer));
    const members = `"schemaText":${emitString(result.text)},"bytes":${result.bytes},"passes":${passes}`;
    return { ok: true, members: `${members},"unreachable":${unreachable}` };
  });
}

const BAD_VIA = '"via" must be "dynamic" or "mcp".';
const TEXT_IS_NO_STRING = '"inputSchemaText" must be a string.';

function answered(given: string, answer: (request: JsonNode, line: string) => Answer): string {
  const line = given.startsWith('\ufeff') ? given.slice(1) : given;
  const request = strictRoot(line);
  if (typeof request === 'string') return `{"id":${idOfUnsendable(line)},"ok":false,"error":${emitString(request)}}`;
  if (request.kind !== 'object') return `{"id":null,"ok":false,"error":"The line is no JSON object."}`;
  const id = request.value('id');
  const { ok, members } = answer(request, line);
  return `{"id":${id === undefined ? 'null' : line.slice(id.offset, id.end)},"ok":${ok},${members}}`;
}

/**
 * The id of a line whose only fault is half of a surrogate pair elsewhere: JSON's grammar allows the escape, and Codex's
 * reader refuses the message. `null` for every other line that is no request.
 */
function idOfUnsendable(line: string): string {
  const { root, problems } = parseJson(line);
  const id = root?.value('id');
  if (id === undefined || problems.some(({ code }) => code !== 'lone-surrogate')) return 'null';
  const text = line.slice(id.offset, id.end);
  return parseJson(text).problems.length === 0 ? text : 'null';
}

/** The value of a text that is JSON without a byte order mark, comments and the like, or why it is not. */
function strictRoot(text: string): JsonNode | string {
  if (text.startsWith('\ufeff')) return 'A byte order mark is not JSON.';
  const { root, problems } = parseJson(text);
  const problem = problems[0];
  if (problem !== undefined) return render(problem.message);
  return root ?? render(t('There is no JSON value here.'));
}

function emitStrings(texts: readonly string[]): string {
  return `[${texts.map(emitString).join(',')}]`;
}

function refused(error: string): Answer {
  return { ok: false, members: `"error":${emitString(error)}` };
}

function wired(text: string, warnings: readonly string[]): Answer {
  return { ok: true, members: `"wireText":${emitString(text)},"warnings":${emitStrings(warnings)}` };
}

function viaOf(request: JsonNode): 'dynamic' | 'mcp' | undefined {
  const via = request.value('via');
  if (via === undefined || via.kind === 'null' || via.string === 'dynamic') return 'dynamic';
  return via.string === 'mcp' ? 'mcp' : undefined;
}

/** A text, wrapped so that it differs from what is wrong with a request. */
interface InputText {
  readonly text: string;
  readonly node: JsonNode;
}

/** The input, with the schema's exact text put in where the request has one; or what is wrong with it. */
function inputOf(request: JsonNode, line: string, route: string | undefined): InputText | string {
  const input = request.value('input');
  if (input?.kind !== 'object') return '"input" must be an object.';
  const text = line.slice(input.offset, input.end);
  const schemaText = request.value('inputSchemaText');
  if (schemaText === undefined || schemaText.kind === 'null') return withNode(text);
  if (schemaText.kind !== 'string') return TEXT_IS_NO_STRING;
  if (route !== 'function') return '"inputSchemaText" belongs to the route "function".';
  const schema = strictRoot(schemaText.text);
  if (typeof schema === 'string') return `"inputSchemaText": ${schema}`;
  const at = input.value('inputSchema');
  if (at === undefined) return withNode(withFirst(text, input, `"inputSchema":${schemaText.text}`));
  return withNode(text.slice(0, at.offset - input.offset) + schemaText.text + text.slice(at.end - input.offset));
}

function withNode(text: string): InputText {
  return { text, node: parseJson(text).root! };
}

/** The text of an object with one more member at its start. */
function withFirst(text: string, object: JsonNode, member: string): string {
  return `{${member}${object.properties.length > 0 ? ',' : ''}${text.slice(1)}`;
}

/** A function goes as an entry in the canonical form unless it has a form of its own. */
function dynamicFunction({ text, node }: InputText, profile: CodexProfile): Answer {
  const formed = node.has('type') || node.has('namespace') || node.has('exposeToContext');
  const entry = formed ? node : parseJson(withFirst(text, node, '"type":"function"')).root!;
  return dynamicAnswer([entry], profile, false);
}

function dynamicList({ node }: InputText, profile: CodexProfile): Answer {
  const tools = node.value('tools') ?? node.value('dynamicTools');
  if (tools?.kind !== 'array') return refused('"input.tools" must be a list.');
  return dynamicAnswer(tools.items, profile, true);
}

function dynamicAnswer(items: readonly JsonNode[], profile: CodexProfile, asList: boolean): Answer {
  const tools = readDynamicTools(items, { profile });
  const refusal = tools.refusals[0];
  if (refusal !== undefined) return refused(refusal.message);
  const { specs, drops } = dynamicSpecs(tools, profile, 'without');
  const logs = drops.map((drop) => drop.log).filter((log) => log !== undefined);
  if (specs.length === 0) {
    return refused(logs.length === 0 ? ABSENT_IN_SILENCE : `absent from the request; log: ${logs.join('\n')}`);
  }
  return wired(asList ? emitSpecs(specs) : emitSpec(specs[0]!), logs);
}

/** The function as the only tool of a server; the answer is the tool within the server's namespace. */
function mcpFunction({ node }: InputText, profile: CodexProfile): Answer {
  const result = readMcpServers([{ name: LONE_SERVER, tools: [node] }], { profile });
  const tool = result.containers[0]?.tools[0];
  return tool === undefined ? refused(absence(result)) : wired(emitSpec(tool), []);
}

function mcpServers({ node }: InputText, profile: CodexProfile): Answer {
  const several = node.value('servers');
  const servers = (several?.kind === 'array' ? several.items : [node]).map(serverOf);
  const bad = servers.find((server) => typeof server === 'string');
  if (typeof bad === 'string') return refused(bad);
  const result = readMcpServers(servers as McpServer[], { profile });
  if (result.containers.length === 0) return refused(absence(result));
  const failures = result.failures.map(({ server, message }) => {
    if (message === ABSENT_IN_SILENCE) return `MCP server "${server}": ${message}`;
    return `WARN codex_mcp::rmcp_client: MCP server startup failed server_name="${server}" error=${message}`;
  });
  const logs = result.drops.map((drop) => drop.log).filter((log) => log !== undefined);
  return wired(emitSpecs(result.containers), [...failures, ...logs]);
}

/** Why nothing of the servers is in the request: the first reason that Codex has. */
function absence({ failures, drops }: McpTools): string {
  return failures[0]?.message ?? drops.find((drop) => drop.message !== undefined)?.message ?? ABSENT_IN_SILENCE;
}

/** A server by the keys of the batch form: `server`, `tools`, `instructions`, `config`, `plugin`. */
function serverOf(node: JsonNode): McpServer | string {
  const name = node.value('server')?.string;
  if (name === undefined) return '"server" must be a string.';
  const tools = node.value('tools');
  if (tools?.kind !== 'array') return '"tools" must be a list.';
  const config = node.value('config');
  const limit = config?.value('tool_input_schema_max_bytes');
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit.kind === 'number' ? limit.text : '')) {
    return '"tool_input_schema_max_bytes" must be a whole number of 1 or more.';
  }
  const plugin = node.value('plugin');
  return {
    name,
    tools: tools.items,
    instructions: node.value('instructions')?.string,
    enabled: stringsOf(config?.value('enabled_tools')),
    disabled: stringsOf(config?.value('disabled_tools')),
    maxSchemaBytes: limit === undefined ? undefined : Number(limit.text),
    plugin: plugin?.string ?? (plugin?.boolean === true ? name : undefined),
  };
}

function stringsOf(node: JsonNode | undefined): string[] | undefined {
  if (node?.kind !== 'array') return undefined;
  return node.items.map((item) => item.string).filter((text) => text !== undefined);
}
