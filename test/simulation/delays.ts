import { addMinutes } from 'date-fns';
import { agesUpTo } from '../../src/coverage/pass-ages.ts';
import type { ReadTo } from '../../src/coverage/tables.ts';
import { currentReadTo, nextPass } from '../../src/polling/passes.ts';
import { PAGES_A_SECOND } from '../../src/polling/read-past.ts';
import { slices } from '../../src/polling/slices.ts';
import { PAGE_SIZE } from '../../src/service/query.ts';
import { promisedDelay } from './promises.ts';
import { MINUTE, SECOND } from './virtual-time.ts';

const HORIZON = 72 * 60 * MINUTE;
const MEASURED = HORIZON / 3;
/** A page's way from the service into the database. */
const PAGE_MS = 100;
/** The time that each poll leaves to reading the past (src/app/loops.ts). */
const RUN_MS = 0.8 * MINUTE;
const MOST_PAGES = (PAGES_A_SECOND * RUN_MS) / SECOND;

/** A failure's delay, with the age of its event. `times` is its share of the promised delay: above 1 is too late. */
interface Delay {
  times: number;
  ageMs: number;
  waitMs: number;
}

/**
 * Plays the passes at an even load, and returns how late the latest failure was found that showed just after its event had been read, and how
 * many requests that took a minute. The first horizon isn't measured.
 */
function delayAt(eventsAnHour: number): { latest: Delay; requests: number } {
  const eventsAMinute = eventsAnHour / 60;
  const ages = agesUpTo(HORIZON);
  const covered = { coveredFrom: new Date(0), clockAheadMs: null };
  /** When the events of a minute were last asked for, by that minute. */
  const askedAt = new Map<number, number>();
  let readTo: ReadTo = new Map();
  let clock = 0;
  let pages = 0;
  let latest: Delay = { times: 0, ageMs: 0, waitMs: 0 };

  /** Reads the events of these minutes. Returns the number of pages. */
  function read(minutes: readonly number[]): number {
    const began = clock;
    const taken = Math.floor((minutes.length * eventsAMinute) / PAGE_SIZE) + 1;
    clock += taken * PAGE_MS;
    const isMeasured = clock > HORIZON;
    if (isMeasured) pages += taken;
    for (const minute of minutes) {
      const before = askedAt.get(minute);
      askedAt.set(minute, began);
      if (before === undefined || !isMeasured) continue;
      const [ageMs, waitMs] = [before - minute, clock - before];
      const times = waitMs / promisedDelay(ageMs);
      if (times > latest.times) latest = { times, ageMs, waitMs };
    }
    return taken;
  }

  for (let tick = MINUTE; tick < HORIZON + MEASURED; tick += MINUTE) {
    if (clock > tick) {
      askedAt.set(tick - MINUTE, tick);
      continue;
    }
    clock = tick;
    read([tick - MINUTE]);
    for (let left = MOST_PAGES; left > 0 && clock < tick + RUN_MS; ) {
      readTo = currentReadTo(readTo, ages, covered, new Date(tick));
      const pass = nextPass(readTo, new Date(tick));
      if (pass === undefined) break;
      const minutes = minutesOf(pass.range);
      for (const slice of slices(pass.range, minutes.length * eventsAMinute)) left -= read(minutesOf(slice));
      readTo = new Map(readTo).set(pass.age, pass.range.to);
    }
  }
  return { latest, requests: pages / (MEASURED / MINUTE) };
}

function minutesOf({ from, to }: { from: Date; to: Date }): number[] {
  const length = (to.getTime() - from.getTime()) / MINUTE;
  return Array.from({ length }, (_, place) => addMinutes(from, place).getTime());
}

const LOADS = [100, 1_000, 10_000, 50_000];
const MOST_PROMISED = 10_000;

/** Returns the table that docs/sizing.md shows, and whether each promise is kept. */
export function delays(): { table: string; isKept: boolean } {
  const found = LOADS.map((load) => ({ load, ...delayAt(load) }));
  const rows = found.map(({ load, latest, requests }) => {
    const [age, wait] = [latest.ageMs, latest.waitMs].map(minutesIn);
    const promised = load > MOST_PROMISED ? '–' : minutesIn(promisedDelay(latest.ageMs));
    return `| ${load} | ${wait}, its event being ${age} old | ${promised} | ${Math.round(requests)} |`;
  });
  const head = ['| events an hour | found after | promised | requests a minute |', '| --- | --- | --- | --- |'];
  const isKept = found.every(({ load, latest }) => load > MOST_PROMISED || latest.times <= 1);
  return { table: [...head, ...rows].join('\n'), isKept };
}

const minutesIn = (ms: number): string => `${Math.round(ms / MINUTE)} min`;
