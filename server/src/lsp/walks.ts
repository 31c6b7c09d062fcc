import { isSampleFileName } from '../core/calls/fileNames';
import type { ProviderGrammar, ProviderSyntax } from '../core/grammar/provider';
import { walkText, walkVerdict } from '../core/grammar/walkText';
import { providerSyntax } from '../core/rules/grammar/embedded';
import { parseJson } from '../core/text/json';
import { pointerOf, resolvePointer } from '../core/text/jsonTree';
import { t } from '../core/text/message';
import { DOCUMENT_SCHEME, type WalkParams, type WalkResult } from '../protocol';
import type { AttachedSamples } from './attached';
import type { Files } from './files';
import type { Grammars } from './grammars';
import { say, translation } from './language';
import { toolAt } from './toolAt';
import { baseName, canonicalUri, resolveUri } from './uris';
import type { Verdicts } from './verdicts';

/** What the address of a walk says. */
interface Address {
  /** The document that it was asked for in. */
  readonly source: string;
  /** Id of the grammar: of its document, with the pointer of the string inside JSON. */
  readonly grammar: string;
  readonly syntax: ProviderSyntax;
  readonly input: string;
  readonly name: string;
}

/** A grammar, and the input that stands at the same place. */
interface Target extends Omit<Address, 'input' | 'source'> {
  readonly input: string | undefined;
}

/** A walk may take this long, in milliseconds. */
const WALK_MILLISECONDS = 10_000;

/** So many addresses are remembered for refreshing. */
const MOST_ADDRESSES = 50;

/** Walks through texts as read-only documents: what a generating model meets, byte by byte. */
export class Walks {
  readonly #addresses = new Set<string>();

  constructor(
    readonly parts: {
      readonly files: Files;
      readonly grammars: Grammars;
      readonly attached: AttachedSamples;
      readonly verdicts: Verdicts;
    },
  ) {}

  /** Addresses that were read and are about a document. */
  of(source: string): string[] {
    const id = canonicalUri(source);
    return [...this.#addresses].filter((uri) => {
      const address = parseAddress(uri);
      return address !== undefined && (address.source === source || address.grammar.split('\n')[0] === id);
    });
  }

  /** The walk at a place. Without an input, and with none at that place, the answer says that one is needed. */
  async find({ uri, offset, input: given }: WalkParams): Promise<WalkResult | null> {
    const target = await this.#target(uri, offset);
    if (target === undefined) return null;
    const { name } = target;
    const missing = this.parts.verdicts.missing;
    if (missing !== undefined) return { kind: 'unavailable', detail: missing };
    const input = given ?? target.input;
    if (input === undefined) return { kind: 'input', name };
    return { kind: 'document', uri: formatAddress({ ...target, source: uri, input }), name };
  }

  /** The text of a walk's document; `undefined` for other addresses. */
  async text(uri: string): Promise<string | undefined> {
    const address = parseAddress(uri);
    if (address === undefined) return undefined;
    this.#addresses.delete(uri);
    this.#addresses.add(uri);
    if (this.#addresses.size > MOST_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!);
    const { grammar: id, syntax, input, name } = address;
    const text = await this.#grammarText(id);
    if (text === undefined) return `${say(t('The grammar of {0} is not there any more.', name))}\n`;
    const grammar: ProviderGrammar = { syntax, text };
    const options = { key: `walk ${uri}`, milliseconds: WALK_MILLISECONDS };
    const answer = await this.parts.verdicts.ask({ kind: 'walk', grammar, input }, options);
    const head = say(t('{0}, step by step, as llguidance 1.9.1 lets a model write it.', name));
    if (answer === undefined) return `${head}\n\n${say(t('The engine cannot run here.'))}\n`;
    if (answer.load?.ok === false) {
      return `${head}\n\n${say(t("The provider's engine refuses the grammar: {0}", answer.load.refusal.message))}\n`;
    }
    const table = answer.steps.length === 0 ? '' : `${walkText(input, answer, undefined, translation())}\n`;
    return `${head}\n\n${table}${say(walkVerdict(input, answer))}\n`;
  }

  async #target(uri: string, offset: number): Promise<Target | undefined> {
    const { files, grammars, attached } = this.parts;
    if (isSampleFileName(baseName(uri))) {
      const sample = (await attached.in(uri)).find(({ call }) => call.start <= offset && offset <= call.end);
      if (sample === undefined) return undefined;
      const { grammar, syntax, input, name, tool } = sample;
      return { grammar, syntax, input, name: name ?? tool };
    }
    if (grammars.isFile(uri)) {
      return { grammar: canonicalUri(uri), syntax: 'lark', input: undefined, name: baseName(uri) };
    }
    const state = await files.state(uri);
    const tool = state === undefined ? undefined : toolAt(state, offset);
    const format = tool?.format;
    const syntax = providerSyntax(format?.syntax);
    if (tool === undefined || format === undefined || syntax === undefined) return undefined;
    const name = tool.name ?? baseName(uri);
    if (format.file !== undefined) {
      const file = resolveUri(uri, format.file);
      return file === undefined ? undefined : { grammar: canonicalUri(file), syntax, input: undefined, name };
    }
    const node = format.definitionNode;
    if (node?.kind !== 'string') return undefined;
    return { grammar: `${canonicalUri(uri)}\n${pointerOf(node)}`, syntax, input: undefined, name };
  }

  /** The text of a grammar, as it is now. */
  async #grammarText(id: string): Promise<string | undefined> {
    const [uri, pointer] = id.split('\n') as [string, string | undefined];
    if (pointer === undefined) return (await this.parts.grammars.file(uri))?.document.text;
    const { sources } = this.parts.files;
    const open = sources.open().find((each) => canonicalUri(each) === uri);
    const text = await sources.read(open ?? uri);
    const { root } = parseJson(text ?? '');
    return root === undefined ? undefined : resolvePointer(root, pointer)?.string;
  }
}

/** Walks get a path for the eye, and the facts in the query. */
function formatAddress(address: Address): string {
  const name = address.name.replace(/\.lark$/, '').replace(/[/\\?#]|\p{Surrogate}/gu, '_');
  return `${DOCUMENT_SCHEME}:/${encodeURIComponent(name)}.walk.txt?${encodeURIComponent(JSON.stringify({ walk: address }))}`;
}

function parseAddress(uri: string): Address | undefined {
  const at = uri.indexOf('?');
  if (at < 0 || !uri.startsWith(`${DOCUMENT_SCHEME}:`)) return undefined;
  try {
    const { walk } = JSON.parse(decodeURIComponent(uri.slice(at + 1).replace(/#.*$/, ''))) as {
      walk?: Partial<Address>;
    };
    const syntax = providerSyntax(walk?.syntax);
    if (walk === undefined || syntax === undefined) return undefined;
    const { source, grammar, input, name } = walk;
    if (typeof source !== 'string' || typeof grammar !== 'string') return undefined;
    return typeof input === 'string' && typeof name === 'string' ? { source, grammar, syntax, input, name } : undefined;
  } catch {
    return undefined;
  }
}
