// Source of everything here: Lark 1.3.1 with Python 3.11, observed at work.

/** Optional parts in a row are multiplied out: from here on they become more than a thousand alternatives. */
export const LARK_OPTIONALS = 10;

/** From this count on a repetition is slow to load and to parse; from the second on it is a burden. */
export const LARGE_COUNTS: readonly [number, number] = [500, 5000];
