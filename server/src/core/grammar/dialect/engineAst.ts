import type { Span } from '../../text/span';
import type { JsonValue } from './engineJson';

/** A name, without the modifiers in front of it. */
export interface EngineName {
  readonly text: string;
  readonly span: Span;
}

export type EngineItem =
  | EngineRule
  | EngineTerminal
  | { readonly kind: 'ignore'; readonly span: Span; readonly body: EngineExpansions }
  | {
      readonly kind: 'import';
      readonly span: Span;
      /** With the dots, as written; the last name of a single import included. */
      readonly path: string;
      readonly pathSpan: Span;
      readonly last: EngineName;
      readonly alias: EngineName | undefined;
      readonly names: readonly EngineName[] | undefined;
    }
  | { readonly kind: 'override' | 'declare'; readonly span: Span; readonly names: readonly EngineName[] }
  | { readonly kind: 'header'; readonly span: Span; readonly json: JsonValue };

export interface EngineRule {
  readonly kind: 'rule';
  readonly name: EngineName;
  readonly template: Span | undefined;
  readonly priority: Span | undefined;
  readonly parametric: boolean;
  readonly attributes: EngineAttributes;
  readonly body: EngineExpansions;
}

export interface EngineTerminal {
  readonly kind: 'token';
  readonly name: EngineName;
  readonly template: Span | undefined;
  readonly priority: Span | undefined;
  readonly body: EngineExpansions;
}

export interface EngineAttributes {
  readonly span: Span | undefined;
  readonly stop: EngineValue | undefined;
  /** `lazy` is an empty expression here. */
  readonly suffix: EngineValue | undefined;
  readonly stopCapture: boolean;
  readonly maxTokens: number | undefined;
  readonly temperature: boolean;
}

export interface EngineExpansions {
  readonly span: Span;
  readonly items: readonly EngineAlternative[];
}

export interface EngineAlternative {
  readonly span: Span;
  readonly conjuncts: readonly (readonly EngineExpression[])[];
  /** `&` of the first conjunction. */
  readonly and: Span | undefined;
  /** A condition other than `true`. */
  readonly condition: Span | undefined;
}

export interface EngineExpression {
  readonly span: Span;
  readonly atom: EngineAtom;
  readonly operator: '?' | '*' | '+' | undefined;
  readonly range: { readonly least: number; readonly most: number; readonly span: Span } | undefined;
}

export type EngineAtom =
  | { readonly kind: 'group'; readonly span: Span; readonly body: EngineExpansions }
  | { readonly kind: 'optional'; readonly span: Span; readonly body: EngineExpansions }
  | { readonly kind: 'not'; readonly span: Span; readonly atom: EngineAtom }
  | EngineValue;

export type EngineValue =
  | { readonly kind: 'name'; readonly span: Span; readonly name: string }
  | { readonly kind: 'parameter'; readonly span: Span; readonly name: string; readonly needs: boolean }
  | { readonly kind: 'string'; readonly span: Span; readonly value: string; readonly ignoreCase: boolean }
  | { readonly kind: 'range'; readonly span: Span; readonly from: string; readonly to: string }
  | { readonly kind: 'regexp'; readonly span: Span; readonly source: string; readonly flags: string }
  | { readonly kind: 'special' | 'grammarName'; readonly span: Span; readonly text: string }
  | { readonly kind: 'json' | 'structuredRegex'; readonly span: Span; readonly json: JsonValue }
  | { readonly kind: 'nested'; readonly span: Span; readonly items: readonly EngineItem[] }
  | { readonly kind: 'template'; readonly span: Span };
