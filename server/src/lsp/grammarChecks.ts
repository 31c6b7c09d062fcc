import { checkGrammar, checkGrammarSteps, type GrammarCheckOptions } from '../core/checkGrammar';
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

/** What the findings depend on. */
interface Basis {
  readonly key: string;
  /** The grammar and those that it imports, and what the provider's engine says. */
  readonly documents: readonly unknown[];
}

interface Known extends Basis {
  readonly checked: Checked;
}

/** A check that goes on; it gives nothing when it is given up, as something that it depends on has changed. */
interface Running extends Basis {
  readonly checked: Promise<Checked | undefined>;
}

/** After so many milliseconds of a check whatever has come in meanwhile is answered. */
const SLICE = 20;

/** Findings of open grammar files, each checked once per text, imported texts, settings and config. */
export class GrammarChecks {
  readonly #known = new Map<string, Known>();
  readonly #running = new Map<string, Running>();
  #count = 0;

  constructor(
    readonly context: { readonly files: Files; readonly grammars: Grammars; readonly verdicts: Verdicts },
    /** Lets others have a turn. */
    readonly turn: () => Promise<void>,
  ) {}

  /** A document has been closed. */
  close(uri: string): void {
    this.#known.delete(uri);
    this.#running.delete(uri);
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
    let running = this.#running.get(uri);
    if (running?.key !== key || !same(running.documents, documents)) {
      const started: Running = {
        key,
        documents,
        checked: this.#check(text, text.version ?? 0, world, { ...options, imported }, () => {
          return this.#running.get(uri) === started && sources.document(uri)?.version === text.version;
        }),
      };
      running = started;
      this.#running.set(uri, started);
    }
    const checked = await running.checked;
    if (this.#running.get(uri) === running) this.#running.delete(uri);
    // What it was about has changed: the newest is asked for.
    if (checked === undefined) return this.of(uri);
    this.#known.set(uri, { checked, key, documents });
    return checked;
  }

  /** @param wanted whether the findings are still of interest */
  async #check(
    own: GrammarText,
    version: number,
    world: World,
    options: GrammarCheckOptions,
    wanted: () => boolean,
  ): Promise<Checked | undefined> {
    const { targets, levels, imported } = options;
    const optionsFor = (text: string): GrammarCheckOptions => ({
      ...(targets === undefined ? {} : { targets }),
      ...(levels === undefined ? {} : { levels }),
      ...(imported === undefined ? {} : { imported }),
      importer: world.importer(own.id),
      provider: this.context.verdicts.known({ syntax: 'lark', text }),
      memory: this.context.files.grammarMemory,
    });
    const check = (text: string): readonly Finding[] => checkGrammar(text, optionsFor(text));
    const { text } = own.document;
    const findings = await this.inTurns(checkGrammarSteps(text, optionsFor(text), own.document), wanted);
    if (findings === undefined) return undefined;
    return {
      uri: own.uri,
      version,
      stamp: `grammar ${++this.#count}`,
      lines: own.lines,
      text,
      findings,
      recheck: (changed) => ({ document: { problems: [] }, findings: check(changed) }),
    };
  }

  /** Goes through the steps of something that takes long; `undefined` when what it gives is not wanted any more. */
  async inTurns<T>(steps: Generator<void, T, undefined>, wanted: () => boolean): Promise<T | undefined> {
    const { now } = this.context.files.sources;
    try {
      for (let began = now(); ; ) {
        const step = steps.next();
        if (step.done === true) return step.value;
        if (now() - began < SLICE) continue;
        await this.turn();
        if (!wanted()) return undefined;
        began = now();
      }
    } finally {
      steps.return(undefined as T);
    }
  }
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}
