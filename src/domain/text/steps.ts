/** Work in steps, between which others can have the process. A step yields how many characters it went over. */
export type Steps<Result> = Generator<number, Result, undefined>;

/** So many characters may be gone over, in one step or several, before others get their turn. */
const CHARACTERS_A_TURN = 10_000;

/** All the steps at once: for work whose bound is short. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** All the steps, with a `pause` (`setImmediate` from `node:timers/promises`) after every 10,000 characters or so. */
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
