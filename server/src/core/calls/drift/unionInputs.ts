import type { Message } from '../../text/message';
import type { InputSource, MadeInput } from './model';

/**
 * Inputs out of the source schema, then out of the compiled one, which allows more. What there is to cover is what the
 * source says.
 */
export class UnionInputs implements InputSource {
  readonly names: ReadonlySet<string>;
  readonly branches: ReadonlyMap<string, Message>;
  #turn = 0;

  constructor(
    private readonly source: InputSource,
    private readonly compiled: InputSource,
  ) {
    this.names = source.names;
    this.branches = source.branches;
  }

  *systematic(): Iterable<MadeInput> {
    yield* this.source.systematic();
    for (const { text } of this.compiled.systematic()) yield { text, branches: [] };
  }

  random(): readonly MadeInput[] {
    this.#turn++;
    if (this.#turn % 2 === 1) return this.source.random();
    return this.compiled.random().map(({ text }) => ({ text, branches: [] }));
  }

  changes(text: string): Iterable<string> {
    return this.source.changes(text);
  }

  change(text: string): string {
    return this.source.change(text);
  }
}
