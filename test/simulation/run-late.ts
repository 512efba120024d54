import { openHere } from './engine-here.ts';
import { describeLate, isLate, LATE_HEAD } from './late/describe-late.ts';
import { playLate } from './late/play-late.ts';

export interface LateRunOptions {
  readonly rate?: string | undefined;
  readonly seed?: string | undefined;
  readonly days: string;
}

const RATES = '100,1000,5000,20000,50000';
/** The rate up to which the promise holds. */
const PROMISED_UP_TO = 10_000;

/** Measures the delays of late failures for each rate. Returns whether the promise holds at all rates that it covers. */
export async function measureLate({ rate = RATES, seed = '1', days }: LateRunOptions): Promise<boolean> {
  let isKept = true;
  console.log(LATE_HEAD);
  for (const eventsAnHour of rate.split(',').map(Number)) {
    const { database, close } = await openHere();
    try {
      const failures = await playLate({ database, seed: Number(seed), eventsAnHour, days: Number(days) });
      console.log(describeLate(eventsAnHour, failures));
      if (eventsAnHour <= PROMISED_UP_TO && failures.some(isLate)) isKept = false;
    } finally {
      await close();
    }
  }
  return isKept;
}
