import type { ProviderSyntax } from '../../core/grammar/provider';
import type { Finding } from '../../core/text/finding';
import { t } from '../../core/text/message';
import type { ToolDefinition } from '../../core/tools/model';
import type { PanelEmpty, PanelLink } from '../../panelProtocol';
import type { AttachedSamples } from '../attached';
import type { FileState, Files } from '../files';
import type { GrammarChecks } from '../grammarChecks';
import type { Grammars, GrammarText } from '../grammars';
import { say } from '../language';
import { keyOf } from '../toolAt';
import { baseName, resolveUri } from '../uris';
import type { Verdicts } from '../verdicts';

/** What the page Grammar is made with. */
export interface GrammarParts {
  readonly files: Files;
  readonly grammars: Grammars;
  readonly grammarChecks: GrammarChecks;
  readonly verdicts: Verdicts;
  readonly attached: AttachedSamples;
}

/** The grammar that the page is about. */
export interface PanelGrammar {
  /** Names it among others: canonical uri, with the pointer of the string inside JSON. */
  readonly id: string;
  readonly syntax: ProviderSyntax;
  readonly text: string;
  /** The grammar with its places; absent for a lone expression. */
  readonly source: GrammarText | undefined;
  /** What it is called. */
  readonly name: string;
  /** What rules say of it, with places in the document that it stands in. */
  readonly findings: readonly Finding[];
}

/** The grammar of a file of its own. */
export async function grammarOfFile(uri: string, parts: GrammarParts): Promise<PanelGrammar | undefined> {
  const source = await parts.grammars.file(uri);
  if (source === undefined) return undefined;
  const findings = (await parts.grammarChecks.of(uri))?.findings ?? [];
  const { text } = source.document;
  return { id: source.id, syntax: 'lark', text, source, name: baseName(uri), findings };
}

/** The grammar of a tool, or why there is none to show. */
export async function grammarOfTool(
  state: FileState,
  tool: ToolDefinition,
  parts: GrammarParts,
): Promise<{ readonly grammar: PanelGrammar } | { readonly empty: PanelEmpty }> {
  const { format, name = '' } = tool;
  if (tool.kind !== 'custom') {
    const detail =
      tool.kind === 'function'
        ? t(
            'It is a function tool: its arguments are JSON and follow the schema on the Compile page. Grammars belong to custom tools.',
          )
        : t('The provider runs it. Grammars belong to custom tools.');
    return none(t('`{0}` has no grammar.', name), detail, state);
  }
  if (format?.type !== 'grammar') {
    const detail = t('It is a custom tool without a format, so the model may send any text.');
    return none(t('`{0}` has no grammar.', name), detail, state);
  }
  const syntax = format.syntax === 'regex' ? 'regex' : 'lark';
  if (format.file !== undefined) {
    const address = resolveUri(state.uri, format.file);
    const found = address === undefined ? undefined : await grammarOfFile(address, parts);
    if (found === undefined) {
      const detail = t('`{0}` names the file `{1}`, and that cannot be read.', name, format.file);
      return none(t('The grammar of `{0}` is missing.', name), detail, state);
    }
    return { grammar: syntax === 'lark' ? { ...found, name } : { ...found, name, syntax, source: undefined } };
  }
  const text = format.definitionNode?.string;
  if (text === undefined) {
    const detail = t('Its format has no `definition`, or that is no text.');
    return none(t('The grammar of `{0}` is missing.', name), detail, state);
  }
  const own = (await parts.grammars.in(state.uri)).find((each) => each.tool?.node.offset === tool.node.offset);
  const key = keyOf(tool);
  const id = own?.id ?? `${state.uri}\n${key.pointer}`;
  return { grammar: { id, syntax, text, source: own, name, findings: state.result.findings } };
}

function none(
  title: ReturnType<typeof t>,
  detail: ReturnType<typeof t>,
  state: FileState,
): { readonly empty: PanelEmpty } {
  const link = otherTool(state);
  return { empty: { title: say(title), detail: say(detail), ...(link === undefined ? {} : { link }) } };
}

/** The first tool of the file that has a grammar. */
function otherTool({ result }: FileState): PanelLink | undefined {
  const other = result.set.tools.find(({ kind, format }) => kind === 'custom' && format?.type === 'grammar');
  if (other === undefined) return undefined;
  return { label: say(t('Show {0}', other.name ?? '')), action: { kind: 'tool', tool: keyOf(other), page: 'grammar' } };
}
