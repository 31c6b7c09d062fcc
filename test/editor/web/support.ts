/** A test of the browser: its title, and what rejects when something is wrong. */
export type WebTest = readonly [title: string, body: () => Promise<void>];

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Asks again until there is an answer; names the last one that was none. */
export async function eventually<T>(what: string, probe: () => T | undefined | PromiseLike<T | undefined>): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
