import { addMilliseconds } from 'date-fns';
import { describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import { openGap } from '../coverage/gaps.ts';
import { unreadableValues } from '../health/unreadable.ts';
import { at } from '../service/event.testing.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Db } from '../store/db.ts';
import { dbWith } from '../store/store.testing.ts';
import { ModelService } from './model-service.testing.ts';
import { failsAt, HOUR, MINUTE, minutes, NEVER, PolledEnvironment, sentAt } from './polling.testing.ts';
import { readPast } from './read-past.ts';

const polled = new PolledEnvironment();

test('what a service did that is hours behind, and does not say so, is a gap where its plan no longer keeps it', async () => {
  for (let minute = 0; minute <= 300; minute += 60) await polled.both(minute);
  const early = { ...failsAt(minutes(120) + 30), listedAt: at(minutes(300) + 30) };
  polled.service.events.push(early);
  const backAt = 45 * 60;
  polled.service.planFrom = at(minutes(backAt - 28 * 60));
  for (const minute of [backAt, backAt + 15, backAt + 30]) await polled.both(minute);
  const unread = (await polled.gaps()).flatMap(({ toRead, givenUp }) => [...toRead, ...givenUp]);
  expect(unread.some(({ from, to }) => from <= early.at && early.at < to)).toBe(true);
});

describe('the past', () => {
  test('isn’t read before the present was', async () => {
    expect(await polled.past(0)).toBeNull();
    polled.service.problem = { kind: 'unreachable' };
    await expect(polled.poll(1)).rejects.toThrow(ServiceError);
    expect(await polled.past(2)).toBeNull();
  });

  test('shows an event that the list had too late for every poll', async () => {
    await polled.poll(0);
    await polled.past(1);
    const late = failsAt(30);
    polled.service.events.push({ ...late, listedAt: at(minutes(3)) });
    await polled.poll(minutes(2));
    await polled.past(minutes(5));
    expect(await polled.found()).toMatchObject({ failedEvents: 1, eventsChecked: 1 });
  });

  test.each([
    `'"00:46:erased.000Z"'`,
    `'null'`,
    `'[17]'`,
    `read_to || '{"x": "2026-05-04T12:00:00Z"}'`,
    `read_to || '{"33": "12:33:erased.000Z", "4320": null}'`,
  ])('loses nothing where what it has read to is damaged, and keeps that: %s', async (damaged) => {
    for (const minute of [0, 20, 40, 60]) await polled.both(minute);
    await polled.db.write(`UPDATE environments SET read_to = ${damaged} WHERE environment = $1`, [polled.name]);
    polled.service.events.push({ ...failsAt(minutes(30)), listedAt: at(minutes(61)) });
    for (const minute of [62, 66, 70]) await polled.both(minute);
    expect(await polled.found()).toMatchObject({ failedEvents: 1 });
    const named = (await unreadableValues(polled.db)).filter(({ row }) => `${row}:`.includes(`${polled.name}:`));
    expect(named).toHaveLength(1);
  });

  test('leaves a failure right after it to the poll that counts the failure’s minute', async () => {
    await polled.poll(0);
    polled.service.events.push(failsAt(0.5));
    expect(await polled.past(60)).toMatchObject({ newFailures: 0 });
    expect(await polled.poll(60)).toMatchObject({ newFailures: 1, newEvents: 1 });
  });

  test('is read again at a new age, too, once the horizon is later', async () => {
    await polled.poll(0);
    for (const [minute, hours] of [[5, 1] as const, [6, 2] as const])
      await polled.past(minutes(minute), { horizonMs: hours * HOUR });
    expect((await polled.known())?.readTo.get(120)).toEqual(at(-minutes(60)));
  });

  test.skipIf(inject('database') === 'embedded')('locks the environment before a gap of it, as polls do', async () => {
    await polled.poll(0);
    await polled.poll(minutes(60));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let poll: Promise<unknown> | undefined;
    polled.service.beforePage = () => {
      poll ??= polled.db.transaction(async (tx) => {
        await tx.write(`SET LOCAL lock_timeout = '300ms'`);
        await lockEnvironment(tx, polled.name);
        await vi.waitFor(async () => expect(await polled.db.rows(z.unknown(), waiting)).not.toEqual([]), 60_000);
        await tx.write('UPDATE gaps SET events = events');
      });
    };
    await polled.past(minutes(61));
    await poll;
    expect((await polled.gaps()).flatMap(({ toRead }) => toRead)).toEqual([]);
  });

  test('is read no longer than there is time: half of it for gaps, the rest for passes', async () => {
    await polled.poll(0);
    await polled.poll(minutes(180));
    polled.service.queries.length = 0;
    await readPast(polled.ctx(), polled.name, polled.now, NEVER);
    expect(polled.service.queries).toEqual([]);
    polled.service.beforePage = () => {
      polled.now = addMilliseconds(polled.now, MINUTE);
    };
    await polled.past(minutes(200));
    expect(await polled.gaps()).toMatchObject([{ toRead: [{ from: at(0), to: at(minutes(90)) }] }]);
    expect(polled.service.queries).toHaveLength(10);
  });

  test('is read no faster than the service’s smallest plan allows', async () => {
    await polled.poll(0);
    await polled.poll(minutes(600));
    polled.service.queries.length = 0;
    await readPast(polled.ctx(), polled.name, addMilliseconds(polled.now, 500), NEVER);
    expect(polled.service.queries).toHaveLength(12);
  });

  test('is read also if a gap can’t be, and then fails with the reason', async () => {
    await polled.poll(0);
    await polled.poll(minutes(60));
    let pages = 0;
    polled.service.beforePage = () => {
      polled.service.problem = ++pages === 1 ? { kind: 'rate-limited', retryAfterMs: 1_000 } : null;
    };
    await expect(polled.past(minutes(61))).rejects.toThrow(ServiceError);
    expect(pages).toBeGreaterThan(1);
    pages = 0;
    polled.service.beforePage = () => {
      pages += 1;
      throw new TypeError('a bug');
    };
    await expect(polled.past(minutes(62))).rejects.toThrow('a bug');
    expect(pages).toBe(1);
  });

  test('takes one statement for each pass that finds nothing', async () => {
    await polled.both(0);
    polled.service.queries.length = 0;
    let passes = 0;
    const tooMuch = () => expect.fail('nothing is to be written');
    const write: Db['write'] = (text, values) => {
      passes += 1;
      return polled.db.write(text, values);
    };
    await polled.past(60, { db: dbWith(polled.db, { write, transaction: tooMuch, update: tooMuch }) });
    expect(passes).toBeGreaterThan(5);
    expect(passes).toBe(polled.service.queries.length);
  });

  test('goes on at the service’s time after a restart, before the service has given it', async () => {
    polled.service.aheadMs = 20 * MINUTE;
    await polled.poll(0);
    polled.service.aheadMs = null;
    polled.service.events.push({ ...failsAt(minutes(20) + 30), listedAt: at(90) });
    expect(await polled.past(120)).toMatchObject({ newFailures: 1 });
  });

  test.each([
    ['forward', 40],
    ['back', -30],
  ])('is read on from where it was, though our clock was set %s while nothing ran', async (_way, aheadMinutes) => {
    const horizon = { horizonMs: HOUR };
    polled.service.aheadMs = 0;
    await polled.poll(0, horizon);
    await polled.past(minutes(90), horizon);
    polled.service.events.push(failsAt(minutes(32)));
    polled.service.aheadMs = null;
    polled.service.beforePage = () => {
      polled.service.aheadMs = -aheadMinutes * MINUTE;
    };
    expect(await polled.past(minutes(115 + aheadMinutes), horizon)).toMatchObject({ newFailures: 1 });
  });

  test('isn’t read over and over where our clock was set forward meanwhile', async () => {
    polled.service.aheadMs = 0;
    await polled.both(0);
    polled.service.queries.length = 0;
    polled.service.beforePage = () => {
      polled.service.aheadMs = -10 * MINUTE;
    };
    await polled.past(minutes(10) + 1);
    expect(polled.service.queries.length).toBeLessThan(10);
  });

  test('that another process has read meanwhile is neither counted nor closed by older answers', async () => {
    class Overtaken extends ModelService {
      override async *eventPages(query: Parameters<ModelService['eventPages']>[0]) {
        await polled.past(minutes(3));
        yield* super.eventPages(query);
      }
    }
    const slow = new Overtaken(() => polled.now, polled.name);
    polled.service.events.push(sentAt(20), sentAt(40));
    slow.events.push(sentAt(20));
    for (const second of [0, 60]) await polled.poll(second);
    await polled.past(minutes(3), { serviceOf: () => slow });
    expect(await polled.found()).toMatchObject({ eventsChecked: 2 });
    const range = { from: at(-minutes(9)), to: at(-minutes(8)) };
    const windows = [{ ...range, tries: 0, nextTryAt: polled.now }];
    await openGap(polled.db, polled.name, { ...range, cause: 'timed-out', windows }, polled.now);
    polled.service.events.push(failsAt(-minutes(9) + 5));
    await polled.past(minutes(3), { serviceOf: () => slow });
    expect(await polled.gaps()).toMatchObject([{ closedAt: polled.now, failures: 1 }]);
  });

  test('says by how much it is late while the service can’t be asked', async () => {
    polled.service.aheadMs = 0;
    await polled.poll(0);
    await polled.past(1);
    polled.service.aheadMs = null;
    polled.service.problem = { kind: 'unreachable' };
    await expect(polled.past(minutes(60))).rejects.toThrow(ServiceError);
    expect((await polled.known())?.behindMs).toBeGreaterThan(30 * MINUTE);
  });
});
