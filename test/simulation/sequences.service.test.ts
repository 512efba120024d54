import { addMilliseconds } from 'date-fns';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { explainCause } from '../../src/causes/explain-cause.ts';
import { environmentOf } from '../../src/coverage/environments.ts';
import { gaps } from '../../src/coverage/tables.ts';
import { announce } from '../../src/digests/announce.ts';
import { createDelivery } from '../../src/digests/deliver.ts';
import { aChannel, type FakeChannel, toldIn } from '../../src/digests/told.testing.ts';
import { createTraffic } from '../../src/failures/labels.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { UNKNOWN_WORKSPACE } from '../../src/lib/workspace.testing.ts';
import type { PollingCtx } from '../../src/polling/ctx.ts';
import { ModelService } from '../../src/polling/model-service.testing.ts';
import { readPast } from '../../src/polling/read-past.ts';
import { readPresent } from '../../src/polling/read-present.ts';
import { aDetail, aJob, anEvent, at as secondsFromNoon } from '../../src/service/event.testing.ts';
import type { TriggeredEvent } from '../../src/service/event.ts';
import type { Db } from '../../src/store/db.ts';
import { dbWith, describeStore } from '../../src/store/store.testing.ts';
import { USUAL_SETTINGS } from '../../src/watches/settings.ts';
import { madeWatch } from '../../src/watches/watches.testing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEVER = new AbortController().signal;
const ENVIRONMENT = 'production';

/** The whole way of a failure: from a service's list to a channel. Times are minutes after noon. */

describeStore('What a service shows is told', (store) => {
  let service: ModelService;
  let channel: FakeChannel;
  let deliver: (signal: AbortSignal) => Promise<void>;
  let minute: number;
  let db: Db;

  const time = (minutes: number) => secondsFromNoon(minutes * 60);
  const now = () => time(minute);

  beforeEach(async () => {
    minute = 0;
    service = new ModelService(now);
    channel = aChannel();
    db = store().db;
    const traffic = createTraffic();
    deliver = createDelivery({
      ...{ db, publisher: channel, traffic, ...UNKNOWN_WORKSPACE, isOurs: () => true },
      logger: silent,
      now,
    });
    const settings = { ...USUAL_SETTINGS, summaryAt: null };
    await madeWatch(db, { channel: 'C0ALERTS', createdBy: 'U0ANN', settings }, addMilliseconds(now(), -1));
  });

  /** Lives through a stretch, in steps of some minutes. */
  async function live(to: number, every = 1): Promise<void> {
    const ctx: PollingCtx = {
      ...{ db, serviceOf: () => service, logger: silent, now, explainCause, traffic: createTraffic() },
      ...{ pollMs: MINUTE, horizonMs: 3 * HOUR },
    };
    for (; minute <= to; minute += every) {
      try {
        await readPresent(ctx, ENVIRONMENT, NEVER);
        await readPast(ctx, ENVIRONMENT, addMilliseconds(now(), 10 * MINUTE), NEVER);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
      await announce({ db: store().db, logger: silent, now }, ENVIRONMENT);
      await deliver(NEVER);
    }
  }

  /** An event whose step is done at a time; the list says so then. Its own times are by the service's clock. */
  function plant(
    name: string,
    { created, done = created, refusal }: { created: number; done?: number; refusal?: string | undefined },
  ): void {
    const skew = (service.aheadMs ?? 0) / MINUTE;
    const createdAt = time(created + skew);
    const event = anEvent({
      id: name,
      transactionId: `transaction-of-${name}`,
      createdAt,
      jobs: [aJob({ status: 'delayed' })],
    });
    const detail = { id: `detail-of-${name}`, createdAt: time(done + skew) };
    const details = [
      refusal === undefined
        ? aDetail({ ...detail, status: 'Success', detail: 'Message sent' })
        : aDetail({ ...detail, detail: refusal }),
    ];
    const job = { id: `job-of-${name}`, details, updatedAt: detail.createdAt };
    const finished: TriggeredEvent = {
      ...event,
      subscriber: { subscriberId: `subscriber-of-${name}`, initials: null, maskedEmail: null, phone: null },
      jobs: [aJob({ ...job, status: refusal === undefined ? 'completed' : 'failed' })],
    };
    service.events.push({
      at: createdAt,
      listedAt: time(created),
      seenAt: (seen) => (seen >= time(done) ? finished : event),
    });
  }

  const fails = (from: number, to: number, refusal = 'The provider refused the request') => {
    for (let at = from; at <= to; at += 1) plant(`failed ${at} ${refusal}`, { created: at, refusal });
  };
  const sends = (from: number, to: number) => {
    for (let at = from; at <= to; at += 1)
      for (let place = 0; place < 5; place += 1) plant(`sent ${at} ${place}`, { created: at });
  };
  const told = () => channel.posted.flatMap((content) => (content.kind === 'digest' ? [toldIn(content)] : []));
  const incidents = async () => {
    const text = 'SELECT state, relapses, recorded::integer AS recorded FROM incidents ORDER BY id';
    return await store().db.rows(z.unknown(), text);
  };
  /** The events and the unreadable items that are counted. */
  const counted = async () => {
    const text = 'SELECT sum(events)::integer AS events, sum(unreadable)::integer AS unreadable FROM event_counts';
    const [sums] = await store().db.rows(z.object({ events: z.number(), unreadable: z.number() }), text);
    return [sums?.events, sums?.unreadable];
  };

  test('a 429 and a kill in the midst of a long pass lose nothing and count nothing twice', async () => {
    sends(0, 1);
    await live(2);
    for (let place = 0; place < 400; place += 1)
      plant(`long ${place}`, { created: 10 + place / 4, refusal: place < 40 ? 'Refused' : undefined });
    minute = 130;
    let pages = 0;
    service.beforePage = () => {
      pages += 1;
      if (pages === 4) service.problem = { kind: 'rate-limited', retryAfterMs: 1_000 };
      if (pages === 8) expect.fail('killed');
    };
    await live(130);
    service.problem = null;
    await expect(live(131)).rejects.toThrow('killed');
    const [before] = await counted();
    expect(before).toBeLessThan(400);
    minute = 132;
    await live(136);
    expect(await counted()).toEqual([410, 0]);
    expect(await incidents()).toMatchObject([{ recorded: 40 }]);
    expect(told()).toHaveLength(1);
  });

  test('a crash between a gap and the jump beyond it leaves neither, and the next poll does both', async () => {
    await live(2);
    fails(20, 24);
    minute = 90;
    const insert: Db['insert'] = () => expect.fail('killed');
    db = dbWith(store().db, { transaction: (work) => store().db.transaction((tx) => work(dbWith(tx, { insert }))) });
    await expect(live(90)).rejects.toThrow('killed');
    const known = await environmentOf(store().db, ENVIRONMENT);
    expect(known?.checkedTo).toEqual(time(2));
    db = store().db;
    await live(95, 5);
    expect(told()).toEqual([['new #1 5']]);
    expect(await store().db.select().from(gaps)).toHaveLength(1);
  });

  test('a minute that is read in halves around a moment that fails is counted once, as a whole', async () => {
    for (const second of [5, 15, 25, 35, 45, 55]) plant(`sent ${second}`, { created: 3 + second / 60 });
    service.poisoned = [time(3.5)];
    await live(5);
    expect(await counted()).toEqual([6, 0]);
    service.poisoned = [];
    plant('sent late', { created: 3.5 });
    await live(12, 3);
    expect(await counted()).toEqual([7, 0]);
  });

  test('what fails in a workflow of delayed steps only is told once, and its recovery is seen', async () => {
    for (let at = 0; at < 40; at += 2)
      plant(`delayed ${at}`, {
        created: at,
        done: at + 60,
        ...(at < 20 ? { refusal: 'The provider refused it' } : {}),
      });
    await live(58, 14);
    await live(140, 12);
    expect(told()).toHaveLength(1);
    expect(await incidents()).toEqual([{ state: 'resolved', relapses: 0, recorded: 10 }]);
  });

  test("after the service's clock was set back ten minutes everything is told, and ends", async () => {
    service.aheadMs = 0;
    sends(0, 3);
    fails(0, 3);
    await live(3);
    service.aheadMs = -10 * MINUTE;
    fails(4, 8);
    fails(6, 6, 'The template is broken');
    sends(4, 60);
    await live(12, 4);
    await live(60, 8);
    expect(
      told()
        .flat()
        .map((words) => words.split(' ').slice(0, 2).join(' ')),
    ).toEqual(['new #1', 'new #2']);
    expect(await incidents()).toEqual([
      { state: 'resolved', relapses: 0, recorded: 9 },
      { state: 'resolved', relapses: 0, recorded: 1 },
    ]);
  });
});
