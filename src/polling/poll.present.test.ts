import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { successCounts } from '../coverage/tables.ts';
import { at } from '../service/event.testing.ts';
import { ServiceError } from '../service/service-error.ts';
import { ModelService } from './model-service.testing.ts';
import { readPresent } from './poll.ts';
import { failsAt, MINUTE, minutes, PolledEnvironment, sentAt } from './polling.testing.ts';

const polled = new PolledEnvironment();

describe('a poll', () => {
  test('reads the hour before the first start, and nothing older', async () => {
    polled.service.events.push(failsAt(-minutes(61)), failsAt(-minutes(59)), failsAt(-1));
    expect(await polled.poll(0)).toMatchObject({ newEvents: 2, newFailures: 2, checkedTo: at(0), hasGap: false });
    await polled.past(minutes(5));
    expect(await polled.found()).toMatchObject({ failedEvents: 2, eventsChecked: 2 });
  });

  test('reads what came since, and counts nothing twice', async () => {
    polled.service.events.push(sentAt(-30), failsAt(-20));
    await polled.poll(0);
    polled.service.events.push(failsAt(20));
    expect(await polled.poll(40)).toMatchObject({ newEvents: 1, newFailures: 1 });
    expect(await polled.poll(50)).toMatchObject({ newEvents: 0, newFailures: 0 });
    expect(await polled.known()).toMatchObject({ checkedTo: at(50) });
    expect(await polled.found()).toMatchObject({ failedEvents: 2, eventsChecked: 3 });
    const delivered = await polled.db.select().from(successCounts).where(eq(successCounts.environment, polled.name));
    expect(delivered).toMatchObject([{ created: at(-60), channel: 'email', provider: 'sendgrid', successes: 1 }]);
  });

  test.each(['inclusive', 'exclusive'] as const)(
    'misses nothing where bounds are %s and the list is oldest first',
    async (bounds) => {
      polled.service.isExclusive = bounds === 'exclusive';
      polled.service.order = (events) => events.toReversed();
      for (let second = -120; second < 0; second++) polled.service.events.push(failsAt(second));
      await polled.poll(-60);
      await polled.poll(0);
      await polled.poll(1);
      expect((await polled.found()).failedEvents).toBe(120);
    },
  );

  test('keeps the slices that it read when the service fails, and continues there', async () => {
    for (let second = -minutes(50); second < 0; second += 5) polled.service.events.push(failsAt(second));
    polled.service.mostAPage = 10;
    let pages = 0;
    polled.service.beforePage = () => {
      polled.service.problem = ++pages > 75 ? { kind: 'rate-limited', retryAfterMs: 1_000 } : null;
    };
    await expect(polled.poll(0)).rejects.toThrow(ServiceError);
    expect((await polled.found()).failedEvents).toBeGreaterThan(100);
    polled.service.beforePage = () => {};
    polled.service.problem = null;
    await polled.poll(1);
    await polled.past(2);
    expect(await polled.found()).toMatchObject({ failedEvents: 600 });
  });

  test('ends between two pages when Notif stops', async () => {
    for (let second = -minutes(10); second < 0; second++) polled.service.events.push(failsAt(second));
    const stopping = new AbortController();
    let pages = 0;
    polled.service.beforePage = () => void (++pages === 3 && stopping.abort());
    await expect(readPresent(polled.ctx(), polled.name, stopping.signal)).rejects.toThrow('abort');
    expect(pages).toBe(3);
  });

  test('that another process overtook replaces no newer counts', async () => {
    await polled.poll(0);
    class Overtaken extends ModelService {
      override async *eventPages(query: Parameters<ModelService['eventPages']>[0]) {
        await polled.poll(60);
        yield* super.eventPages(query);
      }
    }
    const slow = new Overtaken(() => polled.now);
    slow.events.push(sentAt(20));
    polled.service.events.push(sentAt(20), sentAt(40));
    await polled.poll(60, { serviceOf: () => slow });
    expect(await polled.found()).toMatchObject({ eventsChecked: 2 });
  });

  test('halves what has more than forty pages, and counts each event once', async () => {
    await polled.poll(0);
    polled.service.mostAPage = 1;
    for (let index = 1; index < 60; index += 1) polled.service.events.push(sentAt(index * 10));
    polled.service.events.push(failsAt(5), failsAt(595));
    polled.service.queries.length = 0;
    await polled.poll(minutes(10));
    // All of it, with a second of padding, and then its halves.
    const ends = polled.service.queries.map(({ before }) => before);
    expect(ends).toEqual([601, 301, 601].map(at));
    expect(await polled.found()).toMatchObject({ failedEvents: 2, eventsChecked: 61 });
  });

  test('reads again what a clock that was set back dates before what was read', async () => {
    polled.service.aheadMs = 0;
    await polled.poll(0);
    polled.service.aheadMs = -10 * MINUTE;
    await polled.poll(60);
    expect(await polled.known()).toMatchObject({ checkedTo: at(60 - minutes(10)) });
    polled.service.events.push(failsAt(70 - minutes(10)));
    await polled.poll(120);
    expect(await polled.found()).toMatchObject({ failedEvents: 1 });
  });

  test('leaves no gap where only our clock was ahead, and nothing in the future once it is set back', async () => {
    polled.service.aheadMs = 0;
    polled.service.events.push(failsAt(-10));
    await polled.both(0);
    polled.service.beforePage = () => {
      polled.service.aheadMs = -60 * MINUTE;
    };
    await polled.both(60);
    polled.service.beforePage = () => {
      polled.service.aheadMs = 0;
    };
    await polled.both(1);
    expect(await polled.gaps()).toEqual([]);
    const known = await polled.known();
    expect(known).toMatchObject({ checkedTo: at(60), lastPollAt: at(60), behindMs: 0 });
    for (const [age, to] of known?.readTo ?? []) expect(to <= at(60 - minutes(Math.min(age, 61)))).toBe(true);
  });

  test('takes a clock that is measured a few seconds apart for no other time', async () => {
    polled.service.aheadMs = 4_000;
    await polled.poll(0);
    polled.service.aheadMs = 0;
    await polled.poll(2);
    expect(await polled.known()).toMatchObject({ checkedTo: at(4) });
    polled.service.events.push(failsAt(5));
    expect(await polled.poll(10)).toMatchObject({ newFailures: 1 });
  });

  test('reads the hour before the first start by the service’s clock, where the first answer shows that ours is ahead', async () => {
    polled.service.events.push(failsAt(-minutes(117)), failsAt(-minutes(114)), failsAt(-minutes(61)));
    polled.service.beforePage = () => {
      polled.service.aheadMs = -56 * MINUTE;
    };
    expect(await polled.poll(0)).toMatchObject({ newFailures: 2, checkedTo: at(-minutes(56)) });
    expect(await polled.known()).toMatchObject({ coveredFrom: at(-minutes(116)) });
  });

  test('goes on at the service’s time where that is ahead', async () => {
    polled.service.aheadMs = 20 * MINUTE;
    polled.service.events.push({ ...failsAt(minutes(19)), listedAt: at(0) });
    expect(await polled.poll(0)).toMatchObject({ newFailures: 1, checkedTo: at(minutes(20)) });
    expect(await polled.known()).toMatchObject({ coveredFrom: at(-minutes(40)) });
  });
});
