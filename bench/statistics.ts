/** Runs `work` and returns the CPU time that the process used until it was done, in milliseconds. */
export async function cpuTimed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the smallest value that `share` of the values (0 to 1) don't exceed: the nearest rank. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(values.length * share));
  return values.toSorted((a, b) => a - b)[rank - 1] ?? Number.NaN;
}

/** Returns the middle value, the lower one of two. NaN without values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns NaN without values. */
export function maximum(values: readonly number[]): number {
  return percentile(values, 1);
}

/** Returns the smallest value in each place over several runs of the same work, up to the length of the shortest run. */
export function bestOf(runs: readonly (readonly number[])[]): number[] {
  const length = Math.min(...runs.map((run) => run.length));
  return Array.from({ length: runs.length === 0 ? 0 : length }, (_, place) =>
    Math.min(...runs.map((run) => run[place] ?? Number.NaN)),
  );
}
