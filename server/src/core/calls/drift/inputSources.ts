import type { Provider, ProviderGrammar } from '../../grammar/provider';
import type { CodexProfile } from '../../profiles/codex';
import { compileSchema } from '../../schema/compile';
import { emptinessOf } from '../../schema/emptiness';
import { referencesOf } from '../../schema/references';
import { parseJson } from '../../text/json';
import { type Message, t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import { compileOptions } from '../../wire/compileOptions';
import { grammarOfRegex, type LarkReading, larkReading } from '../contractLark';
import type { HandlerSpec } from '../model';
import { GrammarInputs } from './grammarInputs';
import type { InputSource } from './model';
import { SchemaInputs } from './schemaInputs';
import { UnionInputs } from './unionInputs';

/** Texts that the provider's engine makes at the beginning. */
const ENGINE_TEXTS = 30;
const ENGINE_BYTES = 300;
const ENGINE_MILLISECONDS = 20_000;

/** What inputs of a tool are made with. */
export interface SourceContext {
  readonly tool: ToolDefinition;
  readonly spec: HandlerSpec;
  readonly profile: CodexProfile;
  readonly provider: Provider | undefined;
  readonly seed: number;
  /** What stored calls send. */
  readonly seeds: readonly string[];
}

/** Where inputs come from, and what has to be known of that. */
export type Made =
  | {
      readonly source: InputSource;
      readonly remarks: readonly Message[];
      /** The grammar as Lark reads it. */
      readonly reading: LarkReading | undefined;
      /** Why not one input is made, if it comes to that. */
      readonly nothing: Message;
    }
  | { readonly skipped: Message };

/** Inputs out of the source schema and the compiled one. */
export function schemaSource({ tool, profile, seed }: SourceContext): Made {
  const { schemaNode } = tool;
  if (schemaNode === undefined) return { skipped: t('It has no schema that inputs could be made of.') };
  const source = new SchemaInputs(schemaNode, seed);
  const isEmpty = emptinessOf(schemaNode, referencesOf(schemaNode)).isEmpty(schemaNode);
  const nothing = isEmpty
    ? t('No value that comes to an end fits its schema, so nothing can be sent that does.')
    : t('No value of its schema could be made: those that fit are too large, or nested too deeply.');
  const remarks = isEmpty
    ? [
        t(
          'No value that comes to an end fits the source schema. Inputs are near misses, and what the compiled one allows.',
        ),
      ]
    : [];
  const compilation = compileSchema(schemaNode, compileOptions(tool, profile));
  if (compilation.refusal !== undefined) {
    const refused = t(
      'Codex refuses the schema ({0}), so the source schema alone is the contract, and its branches are covered.',
      compilation.refusal.message,
    );
    return { source, remarks: [...remarks, refused], reading: undefined, nothing };
  }
  const compiled = parseJson(compilation.text).root;
  const both = compiled === undefined ? source : new UnionInputs(source, new SchemaInputs(compiled, seed + 1));
  return { source: both, remarks, reading: undefined, nothing };
}

/**
 * Inputs out of a grammar. Which branches a text takes is known from Lark's reading alone; whether the grammar allows
 * it is for the provider's engine to say.
 */
export async function grammarSource(context: SourceContext, grammar: ProviderGrammar | undefined): Promise<Made> {
  if (grammar === undefined) return { skipped: t('It takes any text, so there is no grammar to make inputs of.') };
  const { provider, seed, spec, seeds } = context;
  const reading = larkReading(grammar.syntax === 'regex' ? grammarOfRegex(grammar.text) : grammar.text);
  const { parser, lenient, refusal = t('The grammar cannot be loaded.') } = reading;
  if (spec.kind === 'builtin' && spec.name === 'grammar' && parser === undefined) {
    return {
      skipped: t('The builtin handler "grammar" reads as Lark does, and Lark refuses the grammar: {0}', refusal),
    };
  }
  const job = { kind: 'generate', grammar, seed, count: ENGINE_TEXTS, mostBytes: ENGINE_BYTES } as const;
  const answer = await provider?.ask(job, { milliseconds: ENGINE_MILLISECONDS });
  const texts = answer?.texts ?? [];
  const refused = answer?.load?.ok === false ? answer.load.refusal.firstLine : undefined;
  const isThere = answer !== undefined && answer.end.state !== 'unavailable';
  const remarks: Message[] = [];
  if (lenient === undefined) {
    if (refused !== undefined) {
      return {
        skipped: t(
          "No engine accepts its grammar, so nothing can be covered. The provider's engine says: {0} Lark says: {1}",
          sentence(refused),
          refusal,
        ),
      };
    }
    if (!isThere) {
      return {
        skipped: t(
          "Lark refuses its grammar, and the provider's engine is not available here, so nothing can be covered. Lark says: {0}",
          refusal,
        ),
      };
    }
    if (texts.length === 0 && seeds.length === 0) {
      return {
        skipped: t(
          "Lark refuses its grammar, and the provider's engine made no text of it, so there is nothing to start with. Store a call to start with. Lark says: {0}",
          refusal,
        ),
      };
    }
    remarks.push(
      t(
        "Branches cannot be told: Lark refuses the grammar, and the provider's engine does not say which branches a text takes. Inputs are {0} texts that the engine made, {1} stored ones, and changes of them. Lark says: {2}",
        texts.length,
        seeds.length,
        refusal,
      ),
    );
  } else if (refused !== undefined) {
    remarks.push(
      t(
        "The provider's engine refuses the grammar, so the API refuses the tool. Verdicts and branches are Lark's. The engine says: {0}",
        sentence(refused),
      ),
    );
  } else if (!isThere) {
    remarks.push(t("The provider's engine is not available here, so verdicts and branches are Lark's."));
  }
  if (lenient !== undefined && parser === undefined) {
    remarks.push(
      t(
        "Lark refuses the grammar. Its terminals that can be empty are read as optional, as the provider's engine does, so its branches are known all the same. Lark says: {0}",
        refusal,
      ),
    );
  }
  if (lenient !== undefined && grammar.syntax === 'regex') {
    remarks.push(t('A regular expression is one branch, whatever it chooses between.'));
  }
  const nothing = t('No text of its grammar could be made: those that fit are too long, or take too many steps.');
  return { source: new GrammarInputs(lenient, texts, seed), remarks, reading, nothing };
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
