import { checkGrammar, type GrammarCheckOptions } from '../core/checkGrammar';
import type { Checked as FixInput } from '../core/rules/fixText';
import { isLibrary } from '../core/rules/grammar/library';
import type { Finding } from '../core/text/finding';
import type { LineIndex } from '../core/text/lines';
import type { Files } from './files';
import type { Grammars, GrammarText, World } from './grammars';
import { checkOptions } from './settings';
import { isExcluded } from './toolFiles';
import { relativePath } from './uris';
import type { Verdicts } from './verdicts';

/** An open document with its findings, whatever its kind. */
export interface Checked {
  readonly uri: string;
  readonly version: number;
  /** Changes whenever the findings may do. */
  readonly stamp: string;
  readonly lines: LineIndex;
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Lines of other documents that the findings speak of. */
  readonly others?: ReadonlyMap<string, LineIndex>;
  /** Checks a text as if it were the newest version of the document. */
  recheck(text: string): FixInput;
}

interface Known {
  readonly checked: Checked;
  readonly key: string;
  /** The grammar and those that it imports, and what the provider's engine says. */
  readonly documents: readonly unknown[];
}

/** Findings of open grammar files, each checked once per text, imported texts, settings and config. */
export class GrammarChecks {
  readonly #known = new Map<string, Known>();
  #count = 0;

  constructor(readonly context: { readonly files: Files; readonly grammars: Grammars; readonly verdicts: Verdicts }) {}

  /** A document has been closed. */
  close(uri: string): void {
    this.#known.delete(uri);
  }

  /** The findings of a grammar file, open or not. */
  async of(uri: string): Promise<Checked | undefined> {
    const { files, grammars } = this.context;
    const { sources } = files;
    const [settings, config] = await Promise.all([
      sources.settings(uri),
      sources.configs.configFor(uri, sources.workspaceFolder(uri)),
    ]);
    if (config !== undefined && isExcluded(config.config.exclude, relativePath(config.folder, uri))) return undefined;
    const text = await grammars.file(uri);
    if (text === undefined) return undefined;
    const world = await grammars.world([text]);
    const imported = isLibrary(text.document) && (await grammars.importersOf(text)).length > 0;
    const options = checkOptions(settings, config?.config);
    const key = JSON.stringify([
      [...(options.targets ?? ['default'])],
      [...(options.levels ?? [])],
      text.version,
      imported,
    ]);
    const opinion = this.context.verdicts.known({ syntax: 'lark', text: text.document.text });
    const documents = [...world.texts.map(({ document }) => document), opinion];
    const known = this.#known.get(uri);
    if (known?.key === key && same(known.documents, documents)) return known.checked;
    const checked = this.#check(text, text.version ?? 0, world, { ...options, imported });
    this.#known.set(uri, { checked, key, documents });
    return checked;
  }

  #check(own: GrammarText, version: number, world: World, options: GrammarCheckOptions): Checked {
    const { targets, levels, imported } = options;
    const check = (text: string): readonly Finding[] =>
      checkGrammar(text, {
        ...(targets === undefined ? {} : { targets }),
        ...(levels === undefined ? {} : { levels }),
        ...(imported === undefined ? {} : { imported }),
        importer: world.importer(own.id),
        provider: this.context.verdicts.known({ syntax: 'lark', text }),
        memory: this.context.files.grammarMemory,
      });
    return {
      uri: own.uri,
      version,
      stamp: `grammar ${++this.#count}`,
      lines: own.lines,
      text: own.document.text,
      findings: check(own.document.text),
      recheck: (text) => ({ document: { problems: [] }, findings: check(text) }),
    };
  }
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}
