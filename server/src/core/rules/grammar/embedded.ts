import type { ProviderGrammar, ProviderSyntax } from '../../grammar/provider';
import type { Target } from '../../profiles/targets';
import { EmbeddedText } from '../../text/embedded';
import type { Finding, Fix, TextEdit } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../../tools/model';
import type { FileFacts } from '../context';
import { type GrammarInput, runGrammarRules } from './context';
import type { GrammarRule } from './grammarRule';
import { regexFindings } from './regexTool';

/** Grammar rules with what decides about them. */
export interface GrammarSettings extends Pick<GrammarInput, 'targets' | 'levels' | 'memory'> {
  readonly rules: readonly GrammarRule[];
}

/** A finding about a grammar, at the JSON string that holds it. */
export type GrammarVerdict = Pick<
  Finding,
  'rule' | 'level' | 'message' | 'related' | 'fixes' | 'unnecessary' | 'span'
> & {
  readonly node: JsonNode;
  readonly targets: readonly Target[];
};

/**
 * What the grammar rules say of the grammar or expression that a custom tool holds as a JSON string, with places and edits in the
 * JSON text. A grammar in a file of its own is checked there.
 */
export function grammarVerdicts(
  settings: GrammarSettings,
  { document, opinionOf, surroundings }: Pick<FileFacts, 'document' | 'opinionOf' | 'surroundings'>,
  tool: ToolDefinition,
): GrammarVerdict[] {
  const node = tool.format?.definitionNode;
  if (tool.format === undefined || node === undefined || tool.format.file !== undefined) return [];
  if (node.string === undefined) return [];
  const embedded = new EmbeddedText(document.text, node.offset);
  const syntax = providerSyntax(tool.format.syntax);
  const provider = syntax === undefined ? undefined : opinionOf?.(syntax, embedded.text);
  return findingsOf({ ...settings, provider, importer: surroundings?.importer }, syntax, embedded.text).map(
    (finding): GrammarVerdict => ({
      rule: finding.rule,
      level: finding.level,
      node,
      span: embedded.spanToDocument(finding.span),
      message: finding.message,
      targets: finding.targets as readonly Target[],
      related: finding.related.map((place) => ({ ...place, span: embedded.spanToDocument(place.span) })),
      fixes: finding.fixes.map((fix) => inDocument(fix, embedded)),
      unnecessary: finding.unnecessary,
    }),
  );
}

/** The grammar or expression that a custom tool holds as a JSON string, as the provider's engine gets it. */
export function embeddedGrammar(documentText: string, tool: ToolDefinition): ProviderGrammar | undefined {
  const { format } = tool;
  const node = format?.definitionNode;
  const syntax = providerSyntax(format?.syntax);
  if (format === undefined || format.file !== undefined || node?.string === undefined || syntax === undefined) {
    return undefined;
  }
  return { syntax, text: new EmbeddedText(documentText, node.offset).text };
}

/** Which of the engine's two readers a custom tool's `syntax` names. */
export function providerSyntax(syntax: string | undefined): ProviderSyntax | undefined {
  return syntax === 'lark' || syntax === 'regex' ? syntax : undefined;
}

function findingsOf(
  settings: GrammarSettings & Pick<GrammarInput, 'provider' | 'importer'>,
  syntax: ProviderSyntax | undefined,
  text: string,
): readonly Finding[] {
  const { rules, ...input } = settings;
  if (syntax === 'regex') return regexFindings(settings, text);
  return syntax === 'lark' ? runGrammarRules(rules, { ...input, text, embedded: true }) : [];
}

function inDocument(fix: Finding['fixes'][number], embedded: EmbeddedText): Fix {
  return { ...fix, edits: (): TextEdit[] => embedded.edits(fix.edits()) };
}
