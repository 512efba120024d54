import { addMilliseconds } from 'date-fns';
import { describe, expect, test } from 'vitest';
import { tooSlowByMs } from '../coverage/lag.ts';
import { at } from '../service/event.testing.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';
import { failsAt, MINUTE, minutes, PolledEnvironment } from './polling.testing.ts';

const polled = new PolledEnvironment();
const RATE_LIMITED: ServiceProblem = { kind: 'rate-limited', retryAfterMs: 1_000 };

const EVENTS_ON_PAGE = 5;

/** Plants failures, evenly from one second to another. */
function failing(times: number, { from = 0, to = minutes(30) } = {}): void {
  polled.service.mostAPage = EVENTS_ON_PAGE;
  for (let index = 0; index < times; index += 1) {
    const second = from + ((to - from) * index) / times + 0.5;
    polled.service.events.push({ ...failsAt(second, `failed ${index} of ${times}`), listedAt: at(second) });
  }
}

/**
 * The service answers this many pages in each minute `from` one `to` another, and refuses the rest. Returns for each minute the problem by which
 * reading failed, if it did, and how many failures are found by then.
 */
async function refusing(
  pages: number,
  problem: ServiceProblem,
  [from, to]: [from: number, to: number],
  reads = polls,
): Promise<(number | string)[]> {
  const found: (number | string)[] = [];
  for (let minute = from; minute < to; minute += 1) {
    let left = pages;
    polled.service.beforePage = () => {
      polled.service.problem = left > 0 ? null : problem;
      left -= 1;
    };
    await reads(minute).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      found.push(error.problem.kind);
    });
    found.push((await polled.found()).failedEvents);
  }
  polled.service.beforePage = () => {};
  polled.service.problem = null;
  return found;
}
const polls = async (minute: number): Promise<void> => void (await polled.poll(minutes(minute)));
const pasts = async (minute: number): Promise<void> => void (await polled.past(minutes(minute)));

describe('while the service refuses what is more than some pages a minute', () => {
  test.each<[kind: string, ServiceProblem]>([
    ['by a 429', RATE_LIMITED],
    ['by a 500', { kind: 'service-error', status: 500, errorId: null }],
    ['by not answering', { kind: 'timed-out' }],
    ['by breaking connections', { kind: 'unreachable' }],
  ])('%s, each poll keeps what it read: the last minute, and the oldest ones', async (_, problem) => {
    // Fifteen a minute, so three pages; after 14 minutes, 210 and the 15 of each minute from then on.
    failing(30 * 15);
    await polled.poll(0);
    const { kind } = problem;
    const found = await refusing(20, problem, [14, 20]);
    expect(found).toEqual([kind, 100, kind, 175, kind, 240, kind, 255, 270, 285]);
    expect(await polled.found()).toMatchObject({ eventsChecked: 285 });
    expect(await polled.known()).toMatchObject({ checkedTo: at(minutes(19)), readAhead: [], failingSince: null });
    expect(await polled.gaps()).toMatchObject([{ endsAt: at(minutes(18)), closedAt: at(minutes(18)), events: 270 }]);
  });

  test.each<[order: string, (typeof polled.service)['order']]>([
    ['newest', (events) => events],
    ['oldest', (events) => events.toReversed()],
  ])('a minute with more pages than a poll gets is read in parts, its %s first, and counts once', async (_, order) => {
    polled.service.order = order;
    failing(100, { from: minutes(5), to: minutes(6) });
    await polled.poll(0);
    const found = await refusing(7, RATE_LIMITED, [14, 21]);
    expect(found.filter(Number.isInteger)).toEqual([35, 35, 35, 61, 89, 100, 100]);
    expect(await polled.found()).toMatchObject({ eventsChecked: 100 });
    expect(await polled.known()).toMatchObject({ failingSince: null, checkedTo: at(minutes(20)) });
  });

  test('a moment with more pages than a poll gets becomes a gap, and keeps nothing else from being read', async () => {
    failing(100, { from: minutes(5) + 30, to: minutes(5) + 30 });
    failing(10);
    await polled.poll(0);
    await refusing(7, RATE_LIMITED, [14, 20]);
    expect(await polled.known()).toMatchObject({ failingSince: null, checkedTo: at(minutes(19)) });
    expect(await polled.gaps()).toMatchObject([{ toRead: [{ from: at(minutes(5)), to: at(minutes(5) + 30.501) }] }]);
    await polled.past(minutes(40));
    expect(await polled.found()).toMatchObject({ failedEvents: 110, eventsChecked: 110 });
  });

  test('gaps and passes keep what they read, too', async () => {
    await polled.poll(0);
    failing(3 * 60, { to: minutes(180) });
    await polled.poll(minutes(180));
    const late = await refusing(10, RATE_LIMITED, [181, 200], pasts);
    const numbers = late.filter((count) => typeof count === 'number');
    expect(numbers.every((count, index) => index < 2 || count > (numbers[index - 1] ?? 0) || count === 180)).toBe(true);
    expect(await polled.known()).toMatchObject({ pastFailingSince: at(minutes(181)) });
  });
});

describe('a service that takes nine seconds a page', () => {
  test('has its last minute read first and is too slow, until the lag shrinks', async () => {
    const failuresAMinute = 45;
    failing(60 * failuresAMinute, { to: minutes(60) });
    await polled.poll(0);
    let pageMs = 9_000;
    polled.service.beforePage = () => {
      polled.now = addMilliseconds(polled.now, pageMs);
    };
    const read = async () => {
      await polled.poll((polled.now.getTime() - at(0).getTime()) / 1_000);
      const known = await polled.known();
      return known === undefined || known === null ? 0 : tooSlowByMs(known, MINUTE, polled.now);
    };
    polled.now = at(60);
    let slowMs = 0;
    while (slowMs === 0 && polled.now < at(minutes(40))) slowMs = await read();
    expect(polled.now < at(minutes(25))).toBe(true);
    expect(slowMs).toBeGreaterThan(5 * MINUTE);
    // More than six minutes of them were read.
    expect((await polled.found()).failedEvents / failuresAMinute).toBeGreaterThan(6);
    pageMs = 100;
    expect(await read()).toBe(0);
  });
});
