import type {
  Attempt,
  NextBytes,
  ProviderEngine,
  ProviderGrammar,
  ProviderLimits,
  ProviderMatcher,
} from '../../core/grammar/provider';
import { utf8Bytes, utf8Text } from '../../core/grammar/providerText';

// No API of Node or of the DOM is used here, so that the engine runs in every kind of worker. What WebAssembly and the
// module are is written out, for the types of neither are at hand.

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** A compiled module. Compiled once, it may be sent to workers. */
export type EngineModule = object;

interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<EngineModule>;
  readonly Memory: new (limits: { initial: number; maximum: number }) => Memory;
  readonly Instance: new (module: EngineModule, imports: object) => { readonly exports: object };
}

/** Functions of the module, see server/engine/crate/src/lib.rs. */
interface Exports {
  engine_alloc(length: number): number;
  engine_dealloc(pointer: number, length: number): void;
  engine_out_ptr(): number;
  engine_out_len(): number;
  engine_panic_ptr(): number;
  engine_panic_len(): number;
  engine_compile(syntax: number, text: number, textLength: number, limits: number, limitsLength: number): number;
  engine_clone(handle: number): number;
  engine_free(handle: number): void;
  engine_reset(handle: number): number;
  engine_consume(handle: number, pointer: number, length: number): number;
  engine_is_accepting(handle: number): number;
  engine_mask(handle: number): number;
  engine_tried_next(handle: number): number;
  engine_forced(handle: number): number;
  engine_test_panic(handle: number): number;
}

const PAGE_BYTES = 65_536;

/** What an instance may have unless its host says otherwise: 128 MB. */
export const MAXIMUM_PAGES = 2_048;

/** What the build links in for stack and data (`initial` in server/engine/build.sh). More at the start is wasted. */
const INITIAL_PAGES = 144;

/** WebAssembly, where the host has it and allows it. */
function webAssembly(): WebAssemblyApi | undefined {
  return (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
}

/** Compiles the module. Rejects where the host forbids that. */
export async function compileEngine(bytes: Uint8Array): Promise<EngineModule> {
  const api = webAssembly();
  if (api === undefined) throw new Error('There is no WebAssembly here.');
  return api.compile(bytes);
}

/** The instance broke and answers no more. */
export class EngineDead extends Error {
  constructor(
    readonly reason: 'panic' | 'memory' | 'stack',
    readonly detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}

const LIMIT_NAMES: Readonly<Record<keyof ProviderLimits, string>> = {
  itemsInRow: 'max_items_in_row',
  initialLexerFuel: 'initial_lexer_fuel',
  stepLexerFuel: 'step_lexer_fuel',
  stepItems: 'step_max_items',
  lexerStates: 'max_lexer_states',
  grammarSize: 'max_grammar_size',
};

/** The engine's names for limits, as the JSON that it reads; an empty text for none. */
function limitsText(limits: ProviderLimits | undefined): string {
  const entries = Object.entries(limits ?? {}).map(([name, value]) => [
    LIMIT_NAMES[name as keyof ProviderLimits],
    value,
  ]);
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries));
}

/** One instance of the engine. Every call throws `EngineDead` once the instance broke. */
export class WasmEngine implements ProviderEngine {
  readonly #exports: Exports;
  readonly #memory: Memory;
  readonly #maximumPages: number;
  #dead: EngineDead | undefined;

  constructor(module: EngineModule, maximumPages: number) {
    const api = webAssembly();
    if (api === undefined) throw new Error('There is no WebAssembly here.');
    // The module imports its memory alone, so that the host sets the limit.
    this.#memory = new api.Memory({ initial: INITIAL_PAGES, maximum: maximumPages });
    this.#exports = new api.Instance(module, { env: { memory: this.#memory } }).exports as Exports;
    this.#maximumPages = maximumPages;
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  /** Bytes of memory that the instance has taken. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  compile(grammar: ProviderGrammar): Attempt<ProviderMatcher> {
    const syntax = grammar.syntax === 'regex' ? 1 : 0;
    const texts = [utf8Bytes(grammar.text), utf8Bytes(limitsText(grammar.limits))];
    const code = this.#sending(texts, (engine, pointers) =>
      engine.engine_compile(syntax, pointers[0]!, texts[0]!.length, pointers[1]!, texts[1]!.length),
    );
    const text = utf8Text(this.#output());
    if (code < 0) return { ok: false, error: text };
    return { ok: true, value: new WasmMatcher(this, code, JSON.parse(text) as string[]) };
  }

  /** Runs a call that gives a code; below 0 the output is the error's text. */
  attempt<T>(call: (engine: Exports) => number, value: (code: number, output: Uint8Array) => T): Attempt<T> {
    const code = this.#call(call);
    const output = this.#output();
    return code < 0 ? { ok: false, error: utf8Text(output) } : { ok: true, value: value(code, output) };
  }

  consume(handle: number, bytes: Uint8Array): Attempt<{ taken: number; error: string | undefined }> {
    const taken = this.#sending([bytes], (engine, [pointer]) => engine.engine_consume(handle, pointer!, bytes.length));
    const text = utf8Text(this.#output());
    if (taken < 0) return { ok: false, error: text };
    return { ok: true, value: { taken, error: text === '' ? undefined : text } };
  }

  free(handle: number): void {
    if (this.#dead === undefined) this.#call((engine) => engine.engine_free(handle));
  }

  /** Breaks the instance with a panic, for tests of what is around it. */
  testPanic(): void {
    const compiled = this.compile({ syntax: 'lark', text: 'start: "a"' });
    if (compiled.ok) this.#call((engine) => engine.engine_test_panic((compiled.value as WasmMatcher).handle));
  }

  #output(): Uint8Array {
    return this.#call((engine) => this.#bytes(engine.engine_out_ptr(), engine.engine_out_len()).slice());
  }

  #bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, pointer >>> 0, length >>> 0);
  }

  /** Calls with copies of bytes in the instance's memory. */
  #sending(texts: readonly Uint8Array[], call: (engine: Exports, pointers: readonly number[]) => number): number {
    return this.#call((engine) => {
      const pointers = texts.map((bytes) => {
        const pointer = engine.engine_alloc(bytes.length);
        this.#bytes(pointer, bytes.length).set(bytes);
        return pointer;
      });
      const code = call(engine, pointers);
      for (const [index, bytes] of texts.entries()) engine.engine_dealloc(pointers[index]!, bytes.length);
      return code;
    });
  }

  #call<T>(call: (engine: Exports) => T): T {
    if (this.#dead !== undefined) throw this.#dead;
    try {
      return call(this.#exports);
    } catch (error) {
      this.#dead = this.#causeOf(error);
      throw this.#dead;
    }
  }

  /** What a trap means. A panic leaves its words; running out of memory aborts without any. */
  #causeOf(error: unknown): EngineDead {
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof RangeError || detail.includes('out of bounds')) return new EngineDead('stack', detail);
    const pointer = this.#exports.engine_panic_ptr();
    const words = utf8Text(this.#bytes(pointer, this.#exports.engine_panic_len()));
    if (words !== '') return new EngineDead('panic', words);
    const most = (this.#maximumPages * PAGE_BYTES) / 1024 / 1024;
    return new EngineDead('memory', `more than ${most} MB`);
  }
}

class WasmMatcher implements ProviderMatcher {
  readonly #engine: WasmEngine;

  constructor(
    engine: WasmEngine,
    readonly handle: number,
    readonly warnings: readonly string[],
  ) {
    this.#engine = engine;
  }

  consume(bytes: Uint8Array): ReturnType<ProviderMatcher['consume']> {
    return this.#engine.consume(this.handle, bytes);
  }

  accepting(): Attempt<boolean> {
    return this.#engine.attempt(
      (engine) => engine.engine_is_accepting(this.handle),
      (code) => code === 1,
    );
  }

  allowedNext(): Attempt<NextBytes> {
    return this.#engine.attempt((engine) => engine.engine_mask(this.handle), nextBytes);
  }

  triedNext(): Attempt<NextBytes> {
    return this.#engine.attempt((engine) => engine.engine_tried_next(this.handle), nextBytes);
  }

  forced(): Attempt<Uint8Array> {
    return this.#engine.attempt(
      (engine) => engine.engine_forced(this.handle),
      (_code, output) => output,
    );
  }

  reset(): void {
    this.#engine.attempt(
      (engine) => engine.engine_reset(this.handle),
      () => undefined,
    );
  }

  fork(): ProviderMatcher {
    const copy = this.#engine.attempt(
      (engine) => engine.engine_clone(this.handle),
      (code) => code,
    );
    if (!copy.ok) throw new Error(copy.error);
    return new WasmMatcher(this.#engine, copy.value, this.warnings);
  }

  free(): void {
    this.#engine.free(this.handle);
  }
}

function nextBytes(_code: number, output: Uint8Array): NextBytes {
  const bytes: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if ((output[byte >> 3]! & (1 << (byte & 7))) !== 0) bytes.push(byte);
  }
  return { bytes, end: output[32] === 1 };
}
