import { type Message, t } from '../../text/message';
import type { GrammarDocument } from '../ast';
import type { CompiledGrammar } from '../compiled';
import type { GrammarProblem } from '../problems';
import { checkTerminals, type LexerKind } from './checkTerminals';
import { finish, lower, undefinedRules } from './compile';
import { Definitions, type Importer } from './definitions';
import { syntaxProblems } from './dialect';
import { type Loading, report } from './entries';
import { PYTHON_REGEX } from './pythonRegex';
import type { RegexModel } from './regexModel';
import { type Origin, TooComplex } from './tree';
import { validate } from './validate';

export interface LoadOptions {
  /** Names of rules to start with; `start` by default. */
  readonly start?: readonly string[];
  /** Keep every token in the tree, as if each rule had `!`. */
  readonly keepAllTokens?: boolean;
  /** Gives the texts of imported files. Lark's own grammars (`common`, `unicode`, `python`, `lark`) need none. */
  readonly importer?: Importer;
  /**
   * The lexer that the grammar is for: each refuses terminals of its own (those that match nothing, and expressions that
   * Python cannot compile). Without one only expressions that cannot be read at all are reported.
   */
  readonly lexer?: LexerKind;
  readonly regex?: RegexModel;
  /** Terminals that stay although no rule uses them: a post-lexer does (`terminalsToKeep`). */
  readonly keep?: readonly string[];
}

/** More problems than this say nothing new about a grammar. */
const MOST_PROBLEMS = 1000;

export interface LoadResult {
  /** Present when rules and terminals could be made. The grammar loads only if there are no problems. */
  readonly grammar: CompiledGrammar | undefined;
  /** What keeps it from loading, the first 1,000. The first one is what Lark reports. */
  readonly problems: readonly GrammarProblem[];
  /** The files that were imported, by id; Lark's own as `lark:common.lark`. */
  readonly files: ReadonlyMap<string, GrammarDocument>;
}

/**
 * Loads a grammar as reference Lark 1.3.1 does: imports, templates and directives resolved, rules in BNF with the names,
 * the order and the options that Lark gives them. Never throws. A grammar beyond the budgets (100,000 alternatives
 * beyond those that are written, 5,000 instances of templates, 500 imports and more) ends in the problem `too-complex`.
 */
export function loadGrammar(document: GrammarDocument, options: LoadOptions = {}): LoadResult {
  const steps = loadGrammarSteps(document, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `loadGrammar`, a part at a time: a host can do other things in between. */
export function* loadGrammarSteps(
  document: GrammarDocument,
  options: LoadOptions = {},
): Generator<void, LoadResult, undefined> {
  const { start = ['start'], keepAllTokens = false, importer, lexer, regex = PYTHON_REGEX, keep = [] } = options;
  const problems: GrammarProblem[] = syntaxProblems(document);
  const files = new Map<string, GrammarDocument>();
  const loading: Loading = { keepAllTokens, problems, documents: files, imports: 0 };
  const origin: Origin = { file: undefined, importedAt: undefined, library: false };
  let grammar: CompiledGrammar | undefined;
  try {
    const definitions = new Definitions(loading, importer, origin, [undefined]);
    definitions.load(document, undefined);
    yield;
    validate(definitions);
    yield;
    const lowered = problems.length > 0 ? undefined : yield* lower(definitions, start, regex, keep);
    yield;
    if (lowered !== undefined) {
      // The dynamic lexers look at the terminals before the parser looks at the rules, the others after that.
      const dynamic = lexer === 'dynamic' || lexer === 'dynamic_complete';
      if (!dynamic) undefinedRules(definitions, lowered, start);
      const ignored = definitions.ignored.map(({ name }) => name);
      if (lexer !== undefined) checkTerminals(loading, lowered, { lexer, start, ignored });
      if (dynamic) undefinedRules(definitions, lowered, start);
      yield;
      grammar = finish(definitions, lowered, start);
    }
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const place = error.place ?? { span: { start: 0, end: 0 }, origin };
    report(loading, 'too-complex', place, tooComplex(error.what));
  }
  return { grammar, problems: problems.slice(0, MOST_PROBLEMS), files };
}

function tooComplex(what: TooComplex['what']): Message {
  switch (what) {
    case 'alternatives':
      return t(
        'The grammar is too complex: optional parts and groups in a row are multiplied out to too many alternatives. Give some of them rules of their own.',
      );
    case 'templates':
      return t('The grammar is too complex: the instances of a template go on without an end.');
    case 'repeats':
      return t('The grammar is too complex: a count is too large.');
    case 'terminals':
      return t('The grammar is too complex: terminals that contain each other become too long an expression.');
    case 'placeholders':
      return t('The grammar is too complex: an optional part stands for too many placeholders.');
    default:
      return t('The grammar is too complex: it imports too many files.');
  }
}
