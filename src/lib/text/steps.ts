/** Work in steps, between which others can use the process. Each step yields how many characters it processed. */
export type Steps<Result> = Generator<number, Result, undefined>;

/** How many characters may be processed, in one or several steps, before others get their turn. */
const CHARACTERS_A_TURN = 10_000;

/** Runs all steps at once, for work with a short bound. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs all steps, with a `pause` (`setImmediate` from `node:timers/promises`) about every 10,000 characters. */
export async function paced<Result>(steps: Steps<Result>, pause: () => Promise<unknown>): Promise<Result> {
  let characters = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    characters += step.value;
    if (characters < CHARACTERS_A_TURN) continue;
    characters = 0;
    await pause();
  }
}
