import { SHAPE_NAMES } from '../shapes';

/** Shapes into which definitions can be converted. */
export type ConvertTarget = 'responses' | 'chat' | 'mcp' | 'anthropic' | 'codex-dynamic';

/** What a shape can say. */
export interface TargetFacts {
  readonly namespaces: boolean;
  /** Tools with a grammar or free text. */
  readonly customs: boolean;
  readonly strict: boolean;
  /** The key of deferral. */
  readonly deferKey: string | undefined;
  /** A tool can be deferred in a namespace only. */
  readonly deferNeedsNamespace: boolean;
  readonly outputSchemaKey: string | undefined;
  readonly titleKey: string | undefined;
  readonly descriptionRequired: boolean;
  readonly schemaRequired: boolean;
  /** The schema's root must have the type `object`. */
  readonly objectSchema: boolean;
}

const NOTHING: TargetFacts = {
  namespaces: false,
  customs: false,
  strict: false,
  deferKey: undefined,
  deferNeedsNamespace: false,
  outputSchemaKey: undefined,
  titleKey: undefined,
  descriptionRequired: false,
  schemaRequired: false,
  objectSchema: false,
};

/**
 * What each target holds (OpenAI OpenAPI description 2.3.0, 2026; Model Context Protocol 2025-11-25; Anthropic Messages
 * API as typed in its TypeScript library 0.120.0, 2026; Codex 0.171.0, observed).
 */
export const TARGET_FACTS: Readonly<Record<ConvertTarget, TargetFacts>> = {
  responses: {
    ...NOTHING,
    namespaces: true,
    customs: true,
    strict: true,
    deferKey: 'defer_loading',
    outputSchemaKey: 'output_schema',
  },
  chat: { ...NOTHING, customs: true, strict: true },
  mcp: { ...NOTHING, outputSchemaKey: 'outputSchema', titleKey: 'title', schemaRequired: true, objectSchema: true },
  anthropic: { ...NOTHING, strict: true, deferKey: 'defer_loading', schemaRequired: true, objectSchema: true },
  'codex-dynamic': {
    ...NOTHING,
    namespaces: true,
    deferKey: 'deferLoading',
    deferNeedsNamespace: true,
    descriptionRequired: true,
    schemaRequired: true,
  },
};

/** Every target, in the order in which people see them. */
export const CONVERT_TARGETS = Object.keys(TARGET_FACTS) as readonly ConvertTarget[];

/** How people read a target's name. */
export function targetName(target: ConvertTarget): string {
  return SHAPE_NAMES[target];
}
