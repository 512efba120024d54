import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const OF_THREAD = '/proc/thread-self/schedstat';

/** Other tests and a busy machine don't lengthen this thread's time, which only Linux states. */
export function cpuMs(): number {
  if (existsSync(OF_THREAD)) return Number.parseInt(readFileSync(OF_THREAD, 'utf8'), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Returns for how much CPU time other work had to wait at most, until this was done. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const begun = cpuMs();
    await setImmediate();
    longest = Math.max(longest, cpuMs() - begun);
  }
  await done;
  return longest;
}
