import { type CodexProfile, DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import type { CompileResult } from '../schema/compile';
import type { FaultKind, SchemaFault, SchemaNote, SchemaValidator, UndeclaredProperty } from '../schema/validate';
import type { Level } from '../text/finding';
import { type JsonNode, parseJson } from '../text/json';
import { resolvePointer } from '../text/jsonTree';
import { type Message, sentences, t } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import { compileTool } from '../wire/compileTool';

/** The validator and what it needs are large and slow to load, so they are loaded on first use. */
export const loadValidator = async (): Promise<typeof import('../schema/validate')> => import('../schema/validate');

/** The schemas of a function, ready to hold arguments against. */
export interface FunctionContract {
  readonly source: SchemaValidator;
  /** What Codex sends to the model; `undefined` when Codex does not take the schema. */
  readonly compiled: SchemaValidator | undefined;
  readonly compilation: CompileResult;
}

const contracts = new WeakMap<ToolDefinition, Map<string, FunctionContract>>();

/** The contract of a function by the text of its definition; made once. `undefined` without a schema. */
export async function functionContract(
  tool: ToolDefinition,
  profile: CodexProfile = DEFAULT_CODEX_PROFILE,
): Promise<FunctionContract | undefined> {
  const { schemaNode } = tool;
  if (schemaNode === undefined) return undefined;
  const key = `${profile.id} ${profile.budgetBytes}`;
  const byProfile = contracts.get(tool) ?? new Map<string, FunctionContract>();
  contracts.set(tool, byProfile);
  let contract = byProfile.get(key);
  if (contract === undefined) {
    const { validatorOf } = await loadValidator();
    const compilation = compileTool(tool, profile)!;
    const emitted = compilation.refusal === undefined ? parseJson(compilation.text).root : undefined;
    contract = {
      source: validatorOf(schemaNode),
      compiled: emitted && validatorOf(emitted, compilation.text),
      compilation,
    };
    byProfile.set(key, contract);
  }
  return contract;
}

const RULES: Readonly<Record<FaultKind, string>> = {
  type: 'call/type',
  stringified: 'call/stringified-json',
  enum: 'call/enum',
  required: 'call/required',
  'unknown-property': 'call/unknown-property',
  constraint: 'call/constraint',
};

/** The rule that a fault belongs to. */
export function ruleOf(kind: FaultKind): string {
  return RULES[kind];
}

/** What is said of the fault, when the compiled schema takes the value nevertheless. */
export function lostMessage(fault: SchemaFault, contract: FunctionContract, schemaNode: JsonNode): Message {
  const pointer = contract.source.pointerOf(fault);
  const node = resolvePointer(schemaNode, pointer);
  const fate = node === undefined ? undefined : contract.compilation.fate(node);
  const stage = fate?.event?.stage;
  const keyword = fault.keyword === '' ? t('what stands at {0}', pointer) : t('"{0}"', fault.keyword);
  const gone =
    fate?.status === 'changed'
      ? t('Codex changes {0} at {1} of the schema on its way to the model', keyword, shown(pointer))
      : t('{0} at {1} of the schema does not reach the model', keyword, shown(pointer));
  const passes = contract.compilation.passes as readonly string[];
  const why =
    stage !== undefined && passes.includes(stage)
      ? t('The pass "{0}" took it away, because the schema is over the budget.', stage)
      : undefined;
  return sentences(
    t('{0}, so the model may send this. Check it in the handler, or say it in the description.', gone),
    why,
  );
}

/** What is said of the compiled schema's fault, when the source schema takes the value. */
export function narrowedMessage(fault: SchemaFault, compiled: SchemaValidator): Message {
  return sentences(
    fault.message,
    t(
      'So says the schema that Codex makes for the model, at {0}, while the source schema takes this. A model that keeps to what it sees does not send it: say in the source schema what is meant, with a type that Codex keeps.',
      shown(compiled.pointerOf(fault)),
    ),
  );
}

const shown = (pointer: string): string => (pointer === '' ? 'the root' : pointer);

/** What is said of a property that the accepting schema does not declare. */
export function undeclaredMessage({ node, kind, declared, meant, elsewhere }: UndeclaredProperty): Message {
  const name = JSON.stringify(node.property?.key ?? '');
  const mean = meant === undefined ? undefined : t('Did you mean {0}?', JSON.stringify(meant));
  if (kind === 'slip') {
    return sentences(
      t('The schema takes the property {0} without declaring it, so handlers may drop it in silence.', name),
      mean,
    );
  }
  const first = elsewhere
    ? t('The alternative that this object fits does not declare the property {0}; another one does.', name)
    : t('The alternative that this object fits does not declare the property {0}.', name);
  const takes =
    meant === undefined && declared.length > 0 ? t('It declares {0}.', declared.slice(0, 12).join(', ')) : mean;
  return sentences(first, takes);
}

/** What is said of something in the schema that is not enforced. */
export function noteMessage({ kind, keyword, text, pointer }: SchemaNote): {
  readonly level: Level;
  readonly message: Message;
} {
  switch (kind) {
    case 'pattern':
      return {
        level: 'info',
        message: t(
          'The pattern {0} at {1} of the schema is not enforced here: it has parts, such as look-around, that no linear-time engine takes.',
          text,
          pointer,
        ),
      };
    case 'reference':
      return {
        level: 'warning',
        message: t(
          'The reference {0} at {1} of the schema leads nowhere, so nothing is checked by it.',
          JSON.stringify(text),
          pointer,
        ),
      };
    default:
      return {
        level: 'info',
        message: t(
          '"{0}" at {1} of the schema has the value {2}, which the keyword does not take, so it is not enforced.',
          keyword,
          pointer,
          text,
        ),
      };
  }
}
