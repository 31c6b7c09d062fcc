/** The scheme of read-only documents that the server writes: wire JSON, compile stages. */
export const DOCUMENT_SCHEME = 'toolspec';

/** Names of requests and notifications beyond the Language Server Protocol. */
export const METHODS = {
  /** Client to server, request: `ViewParams` to `ViewResult`. */
  view: 'toolspec/view',
  /** Client to server, request: `WalkParams` to `WalkResult`, or `null` where no grammar stands. */
  walk: 'toolspec/walk',
  /** Client to server, request: `ConvertParams` to `ConvertResult`, or `null` for a file without tools. */
  convert: 'toolspec/convert',
  /** Client to server, notification: `ToolFilesParams`. */
  toolFiles: 'toolspec/toolFiles',
  /** Server to client, notification: `FileStatus`. */
  status: 'toolspec/status',
  /** Server to client, request: `ReadFileParams` to `ReadFileResult`. */
  readFile: 'toolspec/readFile',
  /** Server to client, request: `FindFilesParams` to `FindFilesResult`. */
  findFiles: 'toolspec/findFiles',
  /** Client to server, request: `ToolListParams` to `ToolListResult`. */
  toolList: 'toolspec/toolList',
  /** Server to client, request, in a browser: `ReadPartParams` to `ReadPartResult`. */
  readPart: 'toolspec/readPart',
  /** Client to server, request: `PanelParams` to `PanelModel`, or `null` for a file that is none of ours. */
  panel: 'toolspec/panel',
  /** Client to server, request: `PanelTextParams` to `PanelTextResult`, or `null`. */
  panelText: 'toolspec/panelText',
  /** The panel wants the call that it shows to be run. */
  panelRun: 'toolspec/panelRun',
  /** The panel wants the call that it shows to be stored. */
  panelSave: 'toolspec/panelSave',
  /** Client to server, request: `PanelCallParams` to `PanelCallResult`, or `null` where the panel stays as it is. */
  panelCall: 'toolspec/panelCall',
  /** The panel wants an input that the grammar takes. */
  panelGenerate: 'toolspec/panelGenerate',
  /** Client to server, request: `SamplesParams` to `SamplesResult`. */
  samples: 'toolspec/samples',
  /** Client to server, request: `RunSamplesParams` to `RunSamplesResult`. Sends `callProgress` on its way. */
  runSamples: 'toolspec/runSamples',
  /** Client to server, request: `AddSampleParams` to `AddSampleResult`. */
  addSample: 'toolspec/addSample',
  /** Client to server, request: `FindDriftParams` to `FindDriftResult`. Sends `driftProgress` on its way. */
  findDrift: 'toolspec/findDrift',
  /** Client to server, request: `StoreDriftParams` to `AddSampleResult`. */
  storeDrift: 'toolspec/storeDrift',
  /** Client to server, request: `SourceServersResult`. */
  sourceServers: 'toolspec/sourceServers',
  /** Client to server, request: `ImportSourceParams` to `ImportSourceResult`. */
  importSource: 'toolspec/importSource',
  /** Client to server, request: `SnapshotsParams` to `SnapshotsResult`. */
  snapshots: 'toolspec/snapshots',
  /** Server to client, notification: `DriftProgressInfo`. */
  driftProgress: 'toolspec/driftProgress',
  /** Server to client, notification: `CallProgress`. */
  callProgress: 'toolspec/callProgress',
  /** Client to server, notification: `TrustParams`. */
  trust: 'toolspec/trust',
} as const;

/** Ids of commands that the server puts into lenses. The client has to offer them. */
export const COMMANDS = {
  previewWire: 'toolspec.previewWire',
  compareWithSource: 'toolspec.compareWithSource',
  /** Arguments: `PanelTarget`. */
  openPanel: 'toolspec.openPanel',
  /** Arguments: a uri, a position and locations, as the protocol has them. */
  showReferences: 'toolspec.showReferences',
  /** Arguments: the uri of a samples file, and places in its `calls`; without places all. */
  runSamples: 'toolspec.runSamples',
  /** Arguments: `AddSampleParams`. */
  addSample: 'toolspec.addSample',
  /** Arguments: what of `FindDriftParams` says where. */
  findDrift: 'toolspec.findDrift',
} as const;

/** Where a text is to be walked through a grammar. */
export interface WalkParams {
  /** A grammar file, a tool definition file or a samples file. */
  readonly uri: string;
  /** In UTF-16 units: in a tool with a grammar, or in a sample call with an input. */
  readonly offset: number;
  /** The text. Without it the input of the sample call is taken. */
  readonly input?: string;
}

/**
 * - `document`: to be opened; its text comes by `workspace/textDocumentContent`
 * - `input`: a text is needed; ask again with one
 * - `unavailable`: the provider's engine does not run on this host
 */
export type WalkResult =
  | { readonly kind: 'document'; readonly uri: string; readonly name: string }
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'unavailable'; readonly detail: string };

/** `initializationOptions`: what the client can do beyond the protocol. All of it is optional. */
export interface InitializationOptions {
  /** It has the commands of `COMMANDS`, so lenses may call them. */
  readonly commands?: boolean;
  /** It answers `METHODS.readFile`, so config files of virtual workspaces can be read. */
  readonly readsFiles?: boolean;
  /** It answers `METHODS.findFiles`, so grammar files of virtual workspaces can be found. */
  readonly findsFiles?: boolean;
  /** It wants `METHODS.status`. */
  readonly status?: boolean;
  /** It holds config files against their published schema, so nothing is said twice. */
  readonly validatesConfig?: boolean;
  /** Code of the workspace may run: handlers of sample calls. Without it none is started. */
  readonly trusted?: boolean;
  /** Files to treat as tool definitions whatever their names. */
  readonly toolFiles?: readonly string[];
  /** The language to speak in: English texts to their translations, as `l10n/bundle.l10n.<language>.json` has them. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** The files that are treated as tool definitions whatever their names. Replaces the former list. */
export interface ToolFilesParams {
  readonly uris: readonly string[];
}

export interface ReadFileParams {
  readonly uri: string;
}

/** `null` when there is no such file. */
export interface ReadFileResult {
  readonly text: string | null;
}

/** A bundle of the product that a server in a worker needs. */
export interface ReadPartParams {
  readonly name: string;
}

/** `null` when the client does not give it. */
export interface ReadPartResult {
  readonly bytes: Uint8Array | null;
}

/** Which files of a workspace folder are wanted: those whose names end so. */
export interface FindFilesParams {
  readonly folder: string;
  readonly ending: string;
}

export interface FindFilesResult {
  readonly uris: readonly string[];
}

/** Shapes into which definitions can be converted. */
export type ConvertTarget = 'responses' | 'chat' | 'mcp' | 'anthropic' | 'codex-dynamic';

export interface ConvertParams {
  readonly uri: string;
  readonly target: ConvertTarget;
}

/** What a conversion costs at one place of the source. */
export interface ConvertLoss {
  readonly kind: 'lost' | 'changed' | 'added' | 'unwrapped' | 'note';
  readonly level: 'error' | 'warning' | 'info' | 'hint';
  readonly tool: string | null;
  readonly pointer: string;
  readonly range: TextRange;
  readonly message: string;
}

/** A part of a text: lines and columns from 0, in UTF-16 units. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

export interface ConvertResult {
  /** The converted file; `null` while the source is not JSON, as `problem` then says. */
  readonly text: string | null;
  readonly tools: number;
  readonly losses: readonly ConvertLoss[];
  readonly problem: { readonly message: string; readonly range: TextRange } | null;
}

/** Forms in which a tool can be sent. */
export type WireMode = 'responses' | 'lite' | 'deferred' | 'chat' | 'mcp' | 'anthropic';

/** Which document about a file is wanted. */
export interface ViewParams {
  /** The tool definition file. */
  readonly uri: string;
  /**
   * - `wire`: the JSON that is sent, for one tool or for all
   * - `request`: the whole request body
   * - `source`: a tool as written, keys in the order of the wire
   * - `stages`: every stage of the compilation of one tool, one below the other
   * - `stage`: one of them
   */
  readonly view: 'wire' | 'request' | 'source' | 'stages' | 'stage';
  /** For `wire` and `request`. Default: `responses`. */
  readonly mode?: WireMode;
  /** JSON Pointer of the tool, or of anything in it; absent for the whole file. */
  readonly tool?: string;
  /** Instead of `tool`: an offset in the file, in UTF-16 units. */
  readonly offset?: number;
  /** For `stage`. */
  readonly stage?: string;
}

/** A document that the server can give. */
export interface ViewResult {
  /** To be opened; its text comes by `workspace/textDocumentContent`. */
  readonly uri: string;
  /** The tool or the file, for titles of comparisons. */
  readonly name: string;
  /** For `stages`: the stages there are, in order. */
  readonly stages: readonly StageInfo[];
}

export interface StageInfo {
  readonly name: string;
  readonly label: string;
  readonly bytes: number;
}

/** Sent after each check of an open tool definition file. */
export interface FileStatus {
  readonly uri: string;
  /** False for files that are none of ours; the rest says nothing then. */
  readonly isToolFile: boolean;
  readonly profile: string;
  readonly tools: number;
  /** Whether a tool of the file takes text by a grammar. */
  readonly hasGrammar: boolean;
  /** Tools over the budget, and tools that Codex refuses. */
  readonly overBudget: number;
  readonly refused: number;
  readonly budgetBytes: number;
  /** The largest tool, if there is one with a size. */
  readonly largest: { readonly name: string; readonly bytes: number } | null;
  /** How long the check took. */
  readonly milliseconds: number;
  /** The config file that holds, if there is one. */
  readonly config: string | null;
  /** What the engines say of a grammar file; `null` for other files. */
  readonly grammar: GrammarStatus | null;
}

/** What the engines say of a grammar. Lines count from 1. */
export interface GrammarStatus {
  /**
   * `none`: it has no say, for the targets are others. `unknown`: there is no verdict, or not yet. `fails`: it loads the
   * grammar and gives up at the first character.
   */
  readonly engine: 'takes' | 'refuses' | 'fails' | 'unknown' | 'none';
  readonly engineLine: number | null;
  /** Why the provider's engine does not run here; `null` where it does. */
  readonly engineMissing: string | null;
  readonly lark: 'takes' | 'refuses';
  readonly larkLine: number | null;
}

/** Which tools are wanted: those of a folder of the workspace, or of one file. */
export type ToolListParams = { readonly folder: string } | { readonly file: string };

export interface ToolListResult {
  /** In the order of their paths. Open files count as they stand in their editors. */
  readonly files: readonly ToolListFile[];
  /** How many tools a request takes; how many the provider advises at the start of one, and in a namespace. */
  readonly limits: { readonly tools: number; readonly start: number; readonly namespace: number };
}

export interface ToolListFile {
  readonly uri: string;
  /** The path from the folder. */
  readonly name: string;
  readonly tools: readonly ToolListTool[];
  /** Tools that stand in a request from the start. */
  readonly start: number;
  /** Why the file has no tools, or not all; `null` where all is well. */
  readonly problem: string | null;
}

export interface ToolListTool {
  /** JSON Pointer of the tool in its file. */
  readonly pointer: string;
  readonly name: string;
  /** Empty where it has none. */
  readonly namespace: string;
  /** Its size, what goes, or what it is, in a few words. */
  readonly status: string;
  /** The same in the fewest words. */
  readonly short: string;
  readonly state: 'fine' | 'over' | 'refused';
  readonly exposure: 'direct' | 'deferred' | 'hidden';
  /** Its first sentence, for people. */
  readonly description: string;
  readonly range: TextRange;
}
