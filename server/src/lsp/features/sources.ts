import { ProtocolRequestType } from 'vscode-languageserver';
import { METHODS } from '../../protocol';
import type {
  ImportSourceParams,
  ImportSourceResult,
  SnapshotsParams,
  SnapshotsResult,
  SourceServersResult,
} from '../../sourcesProtocol';
import { feature } from '../feature';

const ServersRequest = new ProtocolRequestType<object, SourceServersResult, never, void, void>(METHODS.sourceServers);
const ImportRequest = new ProtocolRequestType<ImportSourceParams, ImportSourceResult, never, void, void>(
  METHODS.importSource,
);
const SnapshotsRequest = new ProtocolRequestType<SnapshotsParams, SnapshotsResult, never, void, void>(
  METHODS.snapshots,
);

const FAILED = 'ToolSpec failed. The output says why.';

/** Lists the MCP servers that the workspace names. */
export const sourceServers = feature({
  type: ServersRequest,
  announce: () => {},
  empty: { failure: FAILED, servers: [] },
  about: () => undefined,
  handle: (_params, { sources }) => sources.servers(),
});

/** Starts an MCP server and gives what makes it a source. */
export const sourceImports = feature({
  type: ImportRequest,
  announce: () => {},
  empty: { kind: 'failed', failure: FAILED, notes: [] },
  about: () => undefined,
  handle: (params, { sources }, token) => sources.importServer(params, token),
});

/** Runs sources and compares what they give with what is stored. */
export const snapshots = feature({
  type: SnapshotsRequest,
  announce: () => {},
  empty: { failure: FAILED, snapshots: [] },
  about: () => undefined,
  async handle(params, { sources, connection, client, guard }, token) {
    const result = await sources.snapshots(params, token);
    if (client.capabilities.workspace?.diagnostics?.refreshSupport) {
      connection.languages.diagnostics.refresh().catch(guard.ignore('refresh'));
    }
    return result;
  },
});
