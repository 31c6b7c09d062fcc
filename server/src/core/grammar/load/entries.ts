import type { Message } from '../../text/message';
import type { GrammarDocument } from '../ast';
import { type GrammarProblem, type GrammarProblemCode, problem } from '../problems';
import type { Place, Tree } from './tree';

/** A rule, template or terminal that goes into the grammar. */
export interface Entry {
  readonly name: string;
  readonly terminal: boolean;
  /** `undefined` for what is only declared. */
  tree: Tree | undefined;
  readonly parameters: readonly string[];
  readonly parameterPlaces: readonly Place[];
  readonly keepAllTokens: boolean;
  readonly expand1: boolean;
  readonly priority: number | undefined;
  readonly templateSource: string | undefined;
  readonly place: Place;
  /** Something in it is reported as syntax already. */
  readonly broken: boolean;
}

/** An entry as plain as a terminal is: no parameters, no modifiers, no priority. */
export function plainEntry(entry: Pick<Entry, 'name' | 'terminal' | 'tree' | 'place' | 'broken'>): Entry {
  return {
    ...entry,
    parameters: [],
    parameterPlaces: [],
    keepAllTokens: false,
    expand1: false,
    priority: 0,
    templateSource: undefined,
  };
}

/** What all files of a grammar share while it is loaded. */
export interface Loading {
  readonly keepAllTokens: boolean;
  readonly problems: GrammarProblem[];
  readonly documents: Map<string, GrammarDocument>;
  imports: number;
}

export function report(
  loading: Loading,
  code: GrammarProblemCode,
  place: Place,
  message: Message,
  related: readonly { place: Place; message: Message }[] = [],
): void {
  const { origin, span } = place;
  const here = related.filter((other) => other.place.origin.file === origin.file);
  const places = here.map((other) => ({ span: other.place.span, message: other.message }));
  const made = problem(code, span, message, { related: places });
  loading.problems.push({ ...made, file: origin.file, importedAt: origin.importedAt });
}

/** Definitions that can be looked up, and a way to say what is wrong with them. */
export interface EntrySet {
  readonly entries: ReadonlyMap<string, Entry>;
  report(code: GrammarProblemCode, place: Place, message: Message): void;
}
