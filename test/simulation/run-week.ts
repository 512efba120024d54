import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/store.ts';
import { describeReport, isExact } from './week/report.ts';
import { simulate } from './week/simulate.ts';

export interface WeekOptions {
  readonly events?: string | undefined;
  readonly seed?: string | undefined;
  readonly days: string;
}

/** Plays a week and prints its account. Returns whether it's exact. */
export async function playWeek({ events = '1000000', seed = '1', days }: WeekOptions): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-simulation-'));
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const store = await openStore({ database: { kind: 'embedded', folder }, logger });
  const started = Date.now();
  try {
    const report = await simulate({
      store,
      seed: Number(seed),
      events: Number(events),
      days: Number(days),
      onDay: (day, untruths) => {
        const seconds = Math.round((Date.now() - started) / 1000);
        const [first] = untruths;
        const example = first === undefined ? '' : `, the first: ${first.what}`;
        console.log(`day ${day} is over, after ${seconds} s; untrue so far: ${untruths.length}${example}`);
      },
    });
    console.log(describeReport(report));
    return isExact(report);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}
