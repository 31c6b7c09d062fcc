/** A list of tokens by rank, as text or as bytes where they are no text, as a module that makes the same list. */
export function tokenModule(tokens: readonly (string | readonly number[])[]): string;

/** What such a module runs to make its list. */
export function unpack(count: number, first: string, second: string): (string | number[])[];
