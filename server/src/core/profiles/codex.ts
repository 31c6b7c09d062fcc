/** A shrinking pass, in the order in which Codex runs them. */
export type PassName = 'descriptions' | 'definitions' | 'depth' | 'compositions';

/** A schema keyword that Codex sends. */
export type KeptKeyword =
  | '$ref'
  | 'type'
  | 'description'
  | 'encrypted'
  | 'enum'
  | 'items'
  | 'minItems'
  | 'properties'
  | 'required'
  | 'additionalProperties'
  | 'anyOf'
  | 'oneOf'
  | 'allOf'
  | '$defs'
  | 'definitions';

/** The numbers and lists of one version of Codex. Everything that differs between versions stands here. */
export interface CodexProfile {
  readonly id: CodexProfileId;
  /** The version and how it is known. */
  readonly source: string;
  /** Bytes of compact `parameters` JSON up to which nothing is shrunk. */
  readonly budgetBytes: number;
  /** The passes that exist, in order. */
  readonly passes: readonly PassName[];
  /** The third pass empties complex schemas from this depth on; the root has depth 0. */
  readonly depthLimit: number;
  /** Keywords that are sent, in the order of emission. */
  readonly keptKeywords: readonly KeptKeyword[];
  /** How a JSON-RPC message and so a schema may nest: levels of containers of a schema alone. */
  readonly maxSchemaNesting: number;
  /** Bytes of namespace, tool name and two more of an MCP tool, above which the name is cut and hashed. */
  readonly mcpNameBytes: number;
  /** An exponent in an enum value becomes `e` with an explicit sign (`1E3` → `1e+3`). */
  readonly normalizesExponents: boolean;
  /** Characters of a dynamic tool's name. */
  readonly dynamicNameLength: number;
  /** Characters of a dynamic namespace. */
  readonly dynamicNamespaceLength: number;
  /** Characters of a dynamic namespace's description. */
  readonly dynamicNamespaceDescriptionLength: number;
  /** Dynamic namespaces that collide with the provider's own. */
  readonly reservedNamespaces: readonly string[];
  /** Names of plain dynamic tools that are left out in silence, with the words of the log. */
  readonly builtinNames: ReadonlyMap<string, 'reserved' | 'duplicate'>;
  /** Bytes up to which the instructions of an MCP server become its namespace's description. */
  readonly instructionsBytes: number;
  /** Limits of servers that come with an agent plugin, in bytes. */
  readonly plugin: {
    readonly descriptionBytes: number;
    readonly toolBytes: number;
    readonly namespaceBytes: number;
    readonly totalBytes: number;
  };
}

export type CodexProfileId = 'codex-0.171' | 'codex-0.148';

const RESERVED_NAMESPACES = [
  'api_tool',
  'browser',
  'computer',
  'container',
  'file_search',
  'functions',
  'image_gen',
  'multi_tool_use',
  'python',
  'python_user_visible',
  'submodel_delegator',
  'terminal',
  'tool_search',
  'web',
];

/**
 * Tools of a plain session with a model that is not in the catalogue (Codex 0.171.0, observed), and `shell_command`,
 * which the registry keeps to itself in every session (public source).
 */
const BUILTIN_NAMES: CodexProfile['builtinNames'] = new Map([
  ['exec_command', 'reserved'],
  ['shell_command', 'reserved'],
  ['write_stdin', 'duplicate'],
  ['request_user_input', 'duplicate'],
  ['view_image', 'duplicate'],
  ['get_goal', 'duplicate'],
  ['create_goal', 'duplicate'],
  ['update_goal', 'duplicate'],
]);

const CODEX_0171: CodexProfile = {
  id: 'codex-0.171',
  source: 'Codex 0.171.0, observed at work',
  budgetBytes: 5000,
  passes: ['descriptions', 'definitions', 'depth', 'compositions'],
  depthLimit: 3,
  keptKeywords: [
    '$ref',
    'type',
    'description',
    'encrypted',
    'enum',
    'items',
    'minItems',
    'properties',
    'required',
    'additionalProperties',
    'anyOf',
    'oneOf',
    'allOf',
    '$defs',
    'definitions',
  ],
  maxSchemaNesting: 123,
  mcpNameBytes: 128,
  normalizesExponents: true,
  dynamicNameLength: 128,
  dynamicNamespaceLength: 64,
  dynamicNamespaceDescriptionLength: 1024,
  reservedNamespaces: RESERVED_NAMESPACES,
  builtinNames: BUILTIN_NAMES,
  instructionsBytes: 524_288,
  plugin: { descriptionBytes: 1000, toolBytes: 8000, namespaceBytes: 8000, totalBytes: 64_000 },
};

const CODEX_0148: CodexProfile = {
  ...CODEX_0171,
  id: 'codex-0.148',
  source: 'Codex 0.148.0, public source read',
  keptKeywords: CODEX_0171.keptKeywords.filter((keyword) => keyword !== 'minItems'),
  mcpNameBytes: 64,
  normalizesExponents: false,
};

/** Every known profile, the default first. */
export const CODEX_PROFILES: readonly CodexProfile[] = [CODEX_0171, CODEX_0148];

/** The profile that holds when none is named. */
export const DEFAULT_CODEX_PROFILE: CodexProfile = CODEX_0171;

/** The profile with this id, optionally with another budget in bytes; `undefined` for an unknown id. */
export function codexProfile(id: string, budgetBytes?: number): CodexProfile | undefined {
  const profile = CODEX_PROFILES.find((candidate) => candidate.id === id);
  if (profile === undefined || budgetBytes === undefined || budgetBytes === profile.budgetBytes) return profile;
  return { ...profile, budgetBytes };
}
