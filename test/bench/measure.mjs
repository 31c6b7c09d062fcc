// Times functions against each other and prints ratios with their goals.

/**
 * The median time of each function in milliseconds. They take turns, so that a slow moment of the machine hits both.
 * @param {number} rounds
 * @param {...(() => unknown)} functions
 * @returns {Promise<number[]>}
 */
export async function medians(rounds, ...functions) {
  const times = functions.map(() => /** @type {number[]} */ ([]));
  for (let round = -2; round < rounds; round++) {
    for (const [index, run] of functions.entries()) {
      const begin = performance.now();
      await run();
      // The first two rounds only warm up.
      if (round >= 0) times[index]?.push(performance.now() - begin);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN);
}

let missedGoals = 0;

/** How many goals were missed so far. */
export function missed() {
  return missedGoals;
}

/**
 * @param {string} what
 * @param {number} value a ratio, or milliseconds where the goal is a time
 * @param {number} goal
 * @param {string} detail
 */
export function report(what, value, goal, detail) {
  const met = value <= goal;
  if (!met) missedGoals++;
  console.log(
    `${what.padEnd(48)} ${value.toFixed(2).padStart(6)}  goal ≤ ${goal}  ${met ? 'met' : 'MISSED'}   ${detail}`,
  );
}

/** @param {number} value */
export const ms = (value) => `${value.toFixed(1)} ms`;
