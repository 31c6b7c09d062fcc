import { larkReading } from '../../core/calls/contractLark';
import { generateSentences } from '../../core/grammar/generate';
import { parseJson } from '../../core/text/json';
import { type Message, t } from '../../core/text/message';
import { baseNameOf } from '../../core/tools/local';
import type { ToolDefinition } from '../../core/tools/model';
import { readTools } from '../../core/tools/read';
import type {
  EmptyPage,
  PanelGenerateResult,
  PanelLink,
  PanelModel,
  PanelPageName,
  PanelParams,
} from '../../panelProtocol';
import { say } from '../language';
import { keyOf } from '../toolAt';
import { baseName, canonicalUri, resolveUri } from '../uris';
import { grammarPage, inputKey } from './grammarPage';
import { type GrammarParts, grammarOfFile, type PanelGrammar } from './grammarSource';
import { placeIn } from './place';

/** A tool whose grammar stands in the file in front. */
interface User {
  readonly uri: string;
  readonly tool: ToolDefinition;
}

/** The panel about a grammar file: the page Grammar, and why the others have nothing to show. */
export async function grammarFileModel(
  params: PanelParams,
  parts: GrammarParts & { findTools(): Promise<readonly string[]> },
): Promise<PanelModel | null> {
  const grammar = await grammarOfFile(params.uri, parts);
  if (grammar?.source === undefined) return null;
  const { source, name } = grammar;
  const users = await usersOf(params.uri, parts);
  const key = { pointer: '', name, namespace: '' };
  const stamp = `grammar ${grammar.id}`;
  const first = source.document.items.find((item) => item.kind === 'definition');
  const span = first?.kind === 'definition' ? first.name.span : { start: 0, end: 0 };
  const kind =
    users.length === 0
      ? t('Lark grammar')
      : users.length === 1
        ? t('Lark grammar of {0}', users[0]!.tool.name ?? '')
        : t('Lark grammar of {0} tools', users.length);
  return {
    uri: params.uri,
    version: source.version ?? 0,
    page: params.page,
    list: params.list === stamp ? { stamp } : { stamp, groups: [{ namespace: '', tools: [key] }] },
    tool: { key, kind: say(kind), place: placeIn(source.uri, source.lines, span) },
    missing: null,
    badges: {},
    broken: null,
    content:
      params.page === 'grammar' ? await grammarPage(grammar, params, parts) : elsewhere(params.page, users, name),
  };
}

/** Why a page has nothing to show about a grammar file, with the way to the tool that has the grammar. */
function elsewhere(page: PanelPageName, users: readonly User[], name: string): EmptyPage {
  const titles: Readonly<Record<Exclude<PanelPageName, 'grammar'>, Message>> = {
    wire: t('A grammar file does not go on the wire by itself.'),
    compile: t('Nothing of a grammar is compiled.'),
    calls: t('Calls belong to tools, and this file is a grammar.'),
    search: t('Tool search finds tools, and this file is a grammar.'),
  };
  const [user] = users;
  const tool = user?.tool.name ?? '';
  const detail =
    user === undefined
      ? t('No tool of the workspace names {0} as its grammar.', `\`${name}\``)
      : t('The tool `{0}` in {1} has it as its grammar.', tool, baseName(user.uri));
  const link: PanelLink =
    user === undefined
      ? { label: say(t('Show the grammar')), action: { kind: 'page', page: 'grammar' } }
      : { label: say(t('Show {0}', tool)), action: { kind: 'tool', tool: keyOf(user.tool), uri: user.uri, page } };
  const title = page === 'grammar' ? t('') : titles[page];
  return { name: 'empty', empty: { title: say(title), detail: say(detail), link } };
}

/** The tools of the workspace that name the file as their grammar. */
async function usersOf(
  uri: string,
  { files, findTools }: GrammarParts & { findTools(): Promise<readonly string[]> },
): Promise<User[]> {
  const own = canonicalUri(uri);
  const found: User[] = [];
  for (const address of await findTools()) {
    const text = await files.sources.read(address);
    if (text === undefined || !text.includes(baseName(uri))) continue;
    const { tools } = readTools(parseJson(text), { baseName: baseNameOf(baseName(address)) });
    for (const tool of tools) {
      const file = tool.format?.file === undefined ? undefined : resolveUri(address, tool.format.file);
      if (file !== undefined && canonicalUri(file) === own) found.push({ uri: address, tool });
    }
  }
  return found;
}

/** Tokens of a generated input. */
const LENGTHS = [12, 20, 35, 8];

/** No generated input of the provider's engine gets longer, in bytes. */
const MOST_BYTES = 600;

/** Generation may take this long, in milliseconds. */
const GENERATE_MILLISECONDS = 3_000;

/** An input that the grammar takes: by Lark's reading, or written by the provider's engine where Lark refuses it. */
export async function generateInput(
  grammar: PanelGrammar,
  seed: number,
  { verdicts }: GrammarParts,
): Promise<PanelGenerateResult> {
  const of = inputKey(grammar);
  const { syntax, text } = grammar;
  const parser = syntax === 'regex' ? undefined : larkReading(text).parser;
  if (parser !== undefined) {
    const length = LENGTHS[seed % LENGTHS.length]!;
    const { sentences } = generateSentences(parser, { seed, count: 4, length, maxCovering: 0 });
    const texts = sentences.map((each) => each.text);
    const made = texts.find((each) => each !== '') ?? texts[0];
    if (made !== undefined) return { of, text: made, failure: null };
  }
  const job = { kind: 'generate', grammar: { syntax, text }, seed, count: 1, mostBytes: MOST_BYTES } as const;
  const answer = await verdicts.ask(job, { key: `panel generate ${of}`, milliseconds: GENERATE_MILLISECONDS });
  const made = answer?.texts[0];
  if (made !== undefined) return { of, text: made, failure: null };
  return { failure: say(t('No input was found that the grammar takes.')) };
}
