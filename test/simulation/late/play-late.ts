import { createRandom } from '../../../sandbox/notification-service/random.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { storeOn } from '../../../src/store/store.ts';
import { poll } from '../../../src/use-cases/polling/poll.ts';
import { recheckEvents } from '../../../src/use-cases/polling/recheck.ts';
import { createModelService } from '../week/model-service.ts';
import { DAY, FATES, HOUR, MINUTE, type Week } from '../week/week.ts';

export interface LateOptions {
  readonly database: Database;
  readonly seed: number;
  /** Events created per hour, all on a channel that bounces. */
  readonly eventsAnHour: number;
  readonly days: number;
}

/** A late failure: its age when it came, and the delay until it was recorded. The delay is null if it wasn't recorded. */
export interface LateFailure {
  readonly ageMs: number;
  readonly delayMs: number | null;
}

const START = Date.parse('2026-03-23T00:00:00.000Z');
const HORIZON_MS = 3 * DAY;
const POLL_MS = MINUTE;
/** Enough failures to measure delays, however many events there are. */
const MOST_FAILURES = 4_000;
const FIRST_AGE_MS = 2 * MINUTE;

/**
 * Plays a steady load whose failures come at any age between two minutes and the horizon, equally in each age class, through the bot's
 * polls, rechecks and store. Measures what came on the last day, when older events are being rechecked as well.
 */
export async function playLate({ database, seed, eventsAnHour, days }: LateOptions): Promise<LateFailure[]> {
  const load = drawLoad(seed, eventsAnHour, days);
  let now = START + HOUR;
  const clock = {
    now: () => new Date(now),
    passes: (ms: number) => {
      now += ms;
    },
  };
  const service = createModelService(load, { clock, requestMs: 40, requestsAWindow: 150, problemAt: () => null });
  const signal = new AbortController().signal;
  const store = storeOn(database).polling;
  const parts = {
    ...{ store, logger: silent, now: clock.now, signal, horizonMs: HORIZON_MS, pollMs: POLL_MS },
    service: { ...service, clockAheadMs: () => 0 },
  };
  for (let slot = START + HOUR; slot < load.to; slot += POLL_MS) {
    now = Math.max(now, slot);
    await poll('production', parts);
    await recheckEvents('production', { ...parts, abortAfter: () => signal });
  }
  return measured(load, await recordedAt(database), days);
}

function drawLoad(seed: number, eventsAnHour: number, days: number): Week {
  const random = createRandom(seed);
  const count = Math.round(eventsAnHour * 24 * days);
  const to = START + days * DAY;
  const createdAt = new Float64Array(count).map(() => START + Math.floor(random.next() * days * DAY)).sort();
  const share = Math.min(0.5, MOST_FAILURES / count);
  const failsAt = createdAt.map((at) =>
    random.next() < share ? at + Math.round(FIRST_AGE_MS * (HORIZON_MS / FIRST_AGE_MS) ** random.next()) : 0,
  );
  const fates = { delivered: FATES.indexOf('delivered'), bounced: FATES.indexOf('bounced') };
  return {
    ...{ from: START, to, createdAt, failsAt, outages: [], causes: ['Mailbox full'] },
    workflows: [{ identifier: 'order-shipped', channel: 'email', provider: 'sendgrid', share: 1 }],
    workflow: new Uint8Array(count),
    fate: Uint8Array.from(failsAt, (at) => (at === 0 ? fates.delivered : fates.bounced)),
    cause: new Uint16Array(count),
    subscriber: Uint32Array.from(createdAt, (_, index) => index),
  };
}

async function recordedAt(database: Database): Promise<Map<number, number>> {
  const { rows } = await database.executeSql('SELECT event_key, recorded_at FROM failures');
  return new Map(
    rows.map((row) => {
      const { event_key, recorded_at } = Object(row);
      return [Number.parseInt(String(event_key), 16), new Date(String(recorded_at)).getTime()];
    }),
  );
}

/** Returns the failures of the last day that came early enough to be found by its end: within half of their age and ten minutes. */
function measured({ createdAt, failsAt, to }: Week, recorded: ReadonlyMap<number, number>, days: number) {
  const from = START + (days - 1) * DAY + HOUR;
  const failures: LateFailure[] = [];
  for (const [index, at] of failsAt.entries()) {
    const ageMs = at - (createdAt[index] ?? 0);
    if (at === 0 || at < from || at + ageMs / 2 + 10 * MINUTE > to) continue;
    const found = recorded.get(index);
    failures.push({ ageMs, delayMs: found === undefined ? null : found - at });
  }
  return failures;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
