import { addMilliseconds } from 'date-fns';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import { ALL_FAILURES } from '../failures/filter.ts';
import { createTraffic } from '../failures/labels.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { ServiceError } from '../lib/errors.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { failuresIn } from '../lookups/failures.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { StatementError } from '../store/errors.ts';
import { failureOf } from '../store/examples.testing.ts';
import { failures, incidents, successCounts } from '../store/schema.ts';
import { dbWith, keptStore } from '../store/store.testing.ts';
import type { PollingCtx } from './ctx.ts';
import { environmentOf } from './environments.ts';
import { dueWindow, gapsIn, setAside } from './gaps.ts';
import { ModelService, settled } from './model-service.testing.ts';
import { createPolls, type PollCtx, pollPast, pollPresent } from './poll.ts';
import { readPast } from './read-past.ts';
import { readPresent } from './read-present.ts';
import { recordFound } from './record.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ALWAYS = { from: at(-1e7), to: at(1e7) };
const NEVER = new AbortController().signal;
const store = keptStore();

let environment = '';
let environments = 0;
let service: ModelService;
let now: Date;
let db: Db;
beforeEach(() => {
  environments += 1;
  environment = `environment-${environments}`;
  now = at(0);
  service = new ModelService(() => now);
  db = store().db;
});

const ctx = (change: Partial<PollingCtx> = {}): PollingCtx => ({
  db,
  serviceOf: () => service,
  logger: silent,
  now: () => now,
  pollMs: MINUTE,
  horizonMs: 72 * HOUR,
  traffic: createTraffic(),
  explainCause,
  ...change,
});

const minutes = (count: number) => count * 60;

/** Polls at a time; times are seconds after noon. */
function poll(seconds: number, change?: Partial<PollingCtx>) {
  now = at(seconds);
  return readPresent(ctx(change), environment, NEVER);
}

function past(seconds: number, change?: Partial<PollingCtx>) {
  now = at(seconds);
  return readPast(ctx(change), environment, addMilliseconds(now, 10 * MINUTE), NEVER);
}

const found = () => failuresIn(store().db, environment, ALWAYS, ALWAYS, ALL_FAILURES);
const gaps = () => gapsIn(store().db, environment, ALWAYS);
const failsAt = (seconds: number, id = `failed ${seconds}`) =>
  settled({ ...aFailedEvent({ id }), createdAt: at(seconds) });
const sentAt = (seconds: number, id = `sent ${seconds}`) => settled({ ...anEvent({ id }), createdAt: at(seconds) });

describe('a poll', () => {
  test('reads the hour before the first start, and nothing older', async () => {
    service.events.push(failsAt(-minutes(61)), failsAt(-minutes(59)), failsAt(-1));
    expect(await poll(0)).toMatchObject({ newEvents: 2, newFailures: 2, checkedTo: at(0), hasGap: false });
    await past(minutes(5));
    expect(await found()).toMatchObject({ failedEvents: 2, eventsChecked: 2 });
  });

  test('reads what came since, and counts nothing twice', async () => {
    service.events.push(sentAt(-30), failsAt(-20));
    await poll(0);
    service.events.push(failsAt(20));
    expect(await poll(40)).toMatchObject({ newEvents: 1, newFailures: 1 });
    expect(await poll(50)).toMatchObject({ newEvents: 0, newFailures: 0 });
    expect(await environmentOf(db, environment)).toMatchObject({ checkedTo: at(50), newestEventAt: at(20) });
    expect(await found()).toMatchObject({ failedEvents: 2, eventsChecked: 3 });
    const delivered = await db.select().from(successCounts).where(eq(successCounts.environment, environment));
    expect(delivered).toMatchObject([{ created: at(-60), channel: 'email', provider: 'sendgrid', successes: 1 }]);
  });

  test.each(['inclusive', 'exclusive'] as const)(
    'misses nothing where bounds are %s and the list is oldest first',
    async (bounds) => {
      service.isExclusive = bounds === 'exclusive';
      service.order = (events) => events.toReversed();
      for (let second = -120; second < 0; second++) service.events.push(failsAt(second));
      await poll(-60);
      await poll(0);
      await poll(1);
      expect((await found()).failedEvents).toBe(120);
      expect((await environmentOf(db, environment))?.newestEventAt).toEqual(at(-1));
    },
  );

  test('keeps what it read when the service fails, and continues there', async () => {
    for (let second = -minutes(50); second < 0; second += 10) service.events.push(failsAt(second));
    service.mostAPage = 5;
    let pages = 0;
    service.beforePage = () => {
      service.problem = ++pages > 90 ? { kind: 'rate-limited', retryAfterMs: 1_000 } : null;
    };
    await expect(poll(0)).rejects.toThrow(ServiceError);
    const { failedEvents } = await found();
    expect(failedEvents).toBeGreaterThan(100);
    service.beforePage = () => {};
    service.problem = null;
    const { newFailures } = await poll(1);
    expect(newFailures).toBe(300 - failedEvents);
  });

  test('begins with the present after a downtime, and leaves what is before it as a gap', async () => {
    await poll(0);
    service.events.push(failsAt(minutes(10)), failsAt(minutes(100)), failsAt(minutes(178)));
    expect(await poll(minutes(180))).toMatchObject({ newFailures: 1, hasGap: true });
    expect(await gaps()).toMatchObject([{ from: at(0), to: at(minutes(165)), cause: 'not-running', closedAt: null }]);
    expect(await past(minutes(181))).toMatchObject({ newFailures: 2 });
    expect(await gaps()).toMatchObject([{ closedAt: at(minutes(181)), events: 2, failures: 2, unchecked: [] }]);
  });

  test('leaves a gap after half an hour too, unless it is the first that it reads', async () => {
    service.problem = { kind: 'unreachable' };
    await expect(poll(0)).rejects.toThrow(ServiceError);
    service.problem = null;
    service.events.push(failsAt(-minutes(50)), failsAt(minutes(5)));
    expect(await poll(minutes(14))).toMatchObject({ newFailures: 2, hasGap: false });
    expect(await poll(minutes(44))).toMatchObject({ hasGap: true });
  });

  test('leaves no gap after a quarter of an hour and some seconds', async () => {
    await poll(5);
    expect(await poll(minutes(15) + 10)).toMatchObject({ hasGap: false });
    expect(await gaps()).toEqual([]);
  });

  test('ends between two pages when Notif stops', async () => {
    for (let second = -minutes(10); second < 0; second++) service.events.push(failsAt(second));
    const stopping = new AbortController();
    let pages = 0;
    service.beforePage = () => void (++pages === 3 && stopping.abort());
    await expect(readPresent(ctx(), environment, stopping.signal)).rejects.toThrow('abort');
    expect(pages).toBe(3);
  });

  test('takes what a gap holds for no sample of the present', async () => {
    const traffic = createTraffic();
    await poll(0, { traffic });
    service.events.push(sentAt(minutes(10)), sentAt(minutes(178)));
    await poll(minutes(180), { traffic });
    await past(minutes(181), { traffic });
    expect(await found()).toMatchObject({ eventsChecked: 2 });
    expect(traffic.sample(environment)).toHaveLength(1);
  });

  test('that another process overtook replaces no newer counts', async () => {
    await poll(0);
    class Overtaken extends ModelService {
      override async *eventPages(query: Parameters<ModelService['eventPages']>[0]) {
        await poll(60);
        yield* super.eventPages(query);
      }
    }
    const slow = new Overtaken(() => now);
    slow.events.push(sentAt(20));
    service.events.push(sentAt(20), sentAt(40));
    await poll(60, { serviceOf: () => slow });
    expect(await found()).toMatchObject({ eventsChecked: 2 });
  });

  test('opens a gap for a service that is away for a minute, and closes it when it has read everything', async () => {
    await poll(0);
    service.problem = { kind: 'unreachable' };
    for (const second of [20, 50]) await expect(poll(second)).rejects.toThrow(ServiceError);
    expect(await gaps()).toEqual([]);
    for (const second of [80, 110]) await expect(poll(second)).rejects.toThrow(ServiceError);
    expect(await gaps()).toMatchObject([{ from: at(0), to: null, cause: 'unreachable' }]);
    service.problem = null;
    service.events.push(failsAt(minutes(3)));
    expect(await poll(minutes(7))).toMatchObject({ newFailures: 1 });
    const caughtUp = { events: 1, failures: 1 };
    expect(await gaps()).toMatchObject([{ to: at(minutes(7)), closedAt: at(minutes(7)), ...caughtUp }]);
  });

  test('counts in the gap of a service that was away what the present and the past find of it', async () => {
    await poll(0);
    service.problem = { kind: 'unreachable' };
    for (const second of [20, 80]) await expect(poll(second)).rejects.toThrow(ServiceError);
    service.problem = null;
    service.events.push(failsAt(minutes(5)), failsAt(minutes(25)), sentAt(minutes(26)));
    await poll(minutes(30));
    expect(await gaps()).toMatchObject([{ closedAt: null, events: 2, failures: 1 }]);
    await past(minutes(31));
    expect(await gaps()).toMatchObject([{ closedAt: at(minutes(31)), events: 3, failures: 2 }]);
  });

  test('reads again what a clock that was set back dates before what was read', async () => {
    service.aheadMs = 0;
    await poll(0);
    service.aheadMs = -10 * MINUTE;
    await poll(60);
    expect(await environmentOf(db, environment)).toMatchObject({ checkedTo: at(60 - minutes(10)) });
    service.events.push(failsAt(70 - minutes(10)));
    await poll(120);
    expect(await found()).toMatchObject({ failedEvents: 1 });
  });

  test('takes a clock that is measured a few seconds apart for no other time', async () => {
    service.aheadMs = 4_000;
    await poll(0);
    service.aheadMs = 0;
    await poll(2);
    expect(await environmentOf(db, environment)).toMatchObject({ checkedTo: at(4) });
    service.events.push(failsAt(5));
    expect(await poll(10)).toMatchObject({ newFailures: 1 });
  });

  test('goes on at the service’s time where that is ahead', async () => {
    service.aheadMs = 20 * MINUTE;
    service.events.push({ ...failsAt(minutes(19)), listedAt: at(0) });
    expect(await poll(0)).toMatchObject({ newFailures: 1, checkedTo: at(minutes(20)) });
  });

  test('records the first 200 failures of an event with more', async () => {
    const details = Array.from({ length: 2_000 }, (_, index) => aDetail({ id: `detail ${index}`, createdAt: at(-10) }));
    service.events.push(settled({ ...anEvent({ id: 'huge', jobs: [aJob({ details })] }), createdAt: at(-20) }));
    expect(await poll(0)).toMatchObject({ newFailures: 200 });
    expect(await poll(1)).toMatchObject({ newFailures: 0 });
  });

  test('records each failed detail of a step, also one that comes later', async () => {
    const details = ['first', 'second'].map((id) => aDetail({ id, createdAt: at(5) }));
    const withDetails = (count: number) => {
      const jobs = [aJob({ details: details.slice(0, count) })];
      return settled({ ...anEvent({ id: 'twice', jobs }), createdAt: at(5) });
    };
    service.events.push(withDetails(1));
    expect(await poll(10)).toMatchObject({ newFailures: 1 });
    service.events.splice(0, 1, withDetails(2));
    expect(await poll(20)).toMatchObject({ newFailures: 1 });
  });

  test('counts an event once whose steps are neither readable nor listed', async () => {
    const hidden = anEvent({ id: 'hidden', jobs: [], listsSteps: false, mayHideFailures: true });
    service.events.push(settled({ ...hidden, createdAt: at(-20) }));
    expect(await poll(0)).toMatchObject({ newEvents: 1, newUnreadable: 1 });
  });

  test('counts an event that the database refuses as unreadable, and records its neighbors', async () => {
    const refused = new StatementError('invalid', '22021');
    const rows: Db['rows'] = (Row, text, values) =>
      JSON.stringify(values).includes('odd one') && text.includes('failures f')
        ? Promise.reject(refused)
        : store().db.rows(Row, text, values);
    db = dbWith(store().db, { rows });
    service.events.push(failsAt(-30), failsAt(-20, 'odd one'), failsAt(-10));
    expect(await poll(0)).toMatchObject({ newFailures: 2, newUnreadable: 1, newEvents: 3 });
    expect(await poll(1)).toMatchObject({ newUnreadable: 0 });
  });
});

test('An event that can’t be judged costs only itself, and one without a workflow and a person is recorded as such', async () => {
  const job = Object.defineProperty(aJob(), 'details', { get: () => expect.fail('a bug') });
  const broken = { ...anEvent({ id: 'broken', jobs: [job] }), createdAt: at(-10) };
  const bare = { ...aFailedEvent({ id: 'bare' }), workflow: null, subscriber: null, createdAt: at(-5) };
  service.events.push(settled(broken), settled(bare), failsAt(-1));
  const { logger, log } = heard();
  expect(await poll(0, { logger })).toMatchObject({ newEvents: 2, newFailures: 2, newUnreadable: 1 });
  expect(log).toMatchObject([{ level: 'error', fields: { environment } }]);
  const stored = await db.select().from(failures).where(eq(failures.environment, environment)).orderBy(failures.seq);
  expect(stored).toMatchObject([{ workflow: 'order-shipped' }, { workflow: null, subscriberId: null }]);
});

test('Processes that record at once begin one incident', async () => {
  await poll(0);
  const pages = Array.from({ length: 4 }, (_, page) => [failureOf('refused', { eventKey: `event ${page}` })]);
  await Promise.all(pages.map((failures) => recordFound(ctx(), environment, { failures, workflows: [] }, now)));
  const begun = await db.select().from(incidents).where(eq(incidents.environment, environment));
  expect(begun).toMatchObject([{ failures: 4, events: 4 }]);
});

describe('a moment that the service can’t show', () => {
  const POISONED = at(-minutes(2));

  test('is a gap of a second, and everything around it is read', async () => {
    service.poisoned = [POISONED];
    service.events.push(failsAt(-minutes(3)), failsAt(-minutes(2) + 5), failsAt(-minutes(1)));
    expect(await poll(0)).toMatchObject({ newFailures: 3, hasGap: true });
    const [gap] = await gaps();
    expect(gap).toMatchObject({ cause: 'service-error', closedAt: null });
    const { from, to } = gap?.unchecked[0] ?? ALWAYS;
    expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(2_000);
    expect([from <= POISONED, to >= POISONED]).toEqual([true, true]);
    const whetherAway = service.queries.filter(({ after, before }) => after?.getTime() === before.getTime());
    expect(whetherAway).toHaveLength(1);
  });

  test('is no gap if it lies just outside of what is read', async () => {
    service.poisoned = [new Date(at(-minutes(60)).getTime() - 500)];
    await poll(0);
    expect(await gaps()).toEqual([]);
    const whole = service.queries.filter(({ before }) => before >= now && before < at(10));
    expect(whole).toHaveLength(2);
  });

  test('is a gap too where only a pass meets it', async () => {
    await poll(0);
    service.poisoned = [POISONED];
    await past(minutes(1));
    expect(await gaps()).toMatchObject([{ cause: 'service-error', closedAt: null }]);
  });

  test('is a gap of its own where another one is hours later', async () => {
    await poll(0);
    const aside = (from: number, to: number) =>
      setAside(db, environment, { from: at(from), to: at(to), cause: 'service-error', windows: [] }, now);
    for (const begin of [-minutes(10), -minutes(400), -minutes(20)]) await aside(begin, begin + 60);
    expect(await gaps()).toMatchObject([
      { from: at(-minutes(400)), to: at(-minutes(399)) },
      { from: at(-minutes(20)), to: at(-minutes(9)) },
    ]);
  });

  test('is read before an older one, once it is due', async () => {
    await poll(0);
    for (const minute of [-50, -20, -35]) {
      const range = { from: at(minutes(minute)), to: at(minutes(minute + 1)) };
      const windows = [{ ...range, tries: 0, nextTryAt: at(5) }];
      await setAside(db, environment, { ...range, cause: 'timed-out', windows }, now);
    }
    expect(await dueWindow(db, environment, at(5))).toMatchObject({ from: at(-minutes(20)) });
    expect(await dueWindow(db, environment, at(4))).toBeUndefined();
  });

  test('is given up apart from what is still to be read', async () => {
    await poll(0);
    const window = (minute: number) => ({ from: at(minutes(minute)), to: at(minutes(minute + 5)) });
    const windows = [
      { ...window(-20), tries: 1, nextTryAt: now },
      { ...window(-10), tries: 1, nextTryAt: null },
    ];
    const range = { from: at(-minutes(20)), to: at(-minutes(5)), cause: 'service-error', windows } as const;
    await setAside(db, environment, range, now);
    expect(await gaps()).toMatchObject([{ unchecked: [window(-20)], givenUp: [window(-10)] }]);
  });

  test('is left out while another second of its minute is read', async () => {
    await poll(0);
    const window = (second: number, nextTryAt: Date) => ({ from: at(second), to: at(second + 6), tries: 1, nextTryAt });
    const windows = [window(-58, at(600)), window(-34, at(0)), window(-10, at(600))];
    await setAside(db, environment, { from: at(-58), to: at(-4), cause: 'service-error', windows }, now);
    service.poisoned = [at(-55), at(-7)];
    await past(1);
    const unchecked = [windows[0], windows[2]].map((left) => ({ from: left?.from, to: left?.to }));
    expect(await gaps()).toMatchObject([{ unchecked }]);
    expect(service.queries.filter(({ after, before }) => after?.getTime() === before.getTime())).toEqual([]);
  });

  test('is asked for again after a minute, and left out by everything else', async () => {
    service.poisoned = [POISONED];
    await poll(0);
    service.queries.length = 0;
    await past(30);
    await poll(59);
    const asking = service.queries.filter(
      ({ after, before }) => (after ?? ALWAYS.from) <= POISONED && before >= POISONED,
    );
    expect(asking).toEqual([]);
    service.poisoned = [];
    service.events.push(failsAt(-minutes(2)));
    expect(await past(61)).toMatchObject({ newFailures: 1 });
    expect(await gaps()).toMatchObject([{ closedAt: at(61), failures: 1 }]);
  });

  test('is given up at the horizon', async () => {
    service.poisoned = [POISONED];
    const horizonMs = HOUR;
    await poll(0, { horizonMs });
    for (let minute = 10; minute <= 70; minute += 10) {
      await poll(minutes(minute), { horizonMs });
      await past(minutes(minute), { horizonMs });
    }
    const [gap] = await gaps();
    expect(gap).toMatchObject({ unchecked: [], closedAt: expect.any(Date) });
    expect(gap?.givenUp).toHaveLength(1);
  });

  test('that lies before what the plan keeps is given up at once in a gap, and nothing to a pass', async () => {
    await poll(0);
    service.planFrom = at(minutes(100));
    service.events.push(failsAt(minutes(101)), failsAt(minutes(120)), failsAt(minutes(178)));
    await poll(minutes(180));
    service.queries.length = 0;
    expect(await past(minutes(181))).toMatchObject({ newFailures: 2 });
    expect(service.queries.length).toBeLessThan(60);
    const [gap] = await gaps();
    expect(gap?.givenUp[0]).toMatchObject({ from: at(0) });
    service.planFrom = at(minutes(150));
    await poll(minutes(190));
    await past(minutes(191));
    expect(await environmentOf(store().db, environment)).toMatchObject({ behindMs: 0 });
    expect(await gaps()).toHaveLength(1);
  });
});

describe('the past', () => {
  test('isn’t read before the present was', async () => {
    expect(await past(0)).toBeNull();
    service.problem = { kind: 'unreachable' };
    await expect(poll(1)).rejects.toThrow(ServiceError);
    expect(await past(2)).toBeNull();
  });

  test('shows an event that the list had too late for every poll', async () => {
    await poll(0);
    await past(1);
    const late = failsAt(30);
    service.events.push({ ...late, listedAt: at(minutes(3)) });
    for (let minute = 1; minute <= 8; minute++) {
      await poll(minutes(minute));
      await past(minutes(minute));
    }
    expect(await found()).toMatchObject({ failedEvents: 1, eventsChecked: 1 });
  });

  test('is read again at a new age, too, once the horizon is later', async () => {
    await poll(0);
    for (const [minute, hours] of [[5, 1] as const, [6, 2] as const])
      await past(minutes(minute), { horizonMs: hours * HOUR });
    expect((await environmentOf(db, environment))?.readTo.get(120)).toEqual(at(-minutes(60)));
  });

  test('costs few requests where nothing happens', async () => {
    for (let minute = 0; minute < 10; minute++) {
      await poll(minutes(minute));
      await past(minutes(minute));
    }
    service.queries.length = 0;
    for (let minute = 10; minute < 20; minute++) {
      await poll(minutes(minute));
      await past(minutes(minute));
    }
    expect(service.queries.length / 10).toBeLessThanOrEqual(16);
  });

  test('is read no longer than there is time: half of it for gaps, the rest for passes', async () => {
    await poll(0);
    await poll(minutes(180));
    service.queries.length = 0;
    await readPast(ctx(), environment, now, NEVER);
    expect(service.queries).toEqual([]);
    service.beforePage = () => {
      now = addMilliseconds(now, MINUTE);
    };
    await past(minutes(200));
    expect(await gaps()).toMatchObject([{ unchecked: [{ from: at(0), to: at(minutes(90)) }] }]);
    expect(service.queries).toHaveLength(10);
  });

  test('is read no faster than the service’s smallest plan allows', async () => {
    await poll(0);
    await poll(minutes(600));
    service.queries.length = 0;
    await readPast(ctx(), environment, addMilliseconds(now, 500), NEVER);
    expect(service.queries).toHaveLength(12);
  });

  test('is read also where a gap can’t be, which is said', async () => {
    await poll(0);
    await poll(minutes(180));
    let pages = 0;
    service.beforePage = () => {
      service.problem = ++pages === 1 ? { kind: 'rate-limited', retryAfterMs: 1_000 } : null;
    };
    await expect(past(minutes(181))).rejects.toThrow(ServiceError);
    expect(pages).toBeGreaterThan(1);
    service.beforePage = () => {
      pages = 0;
      throw new TypeError('a bug');
    };
    await expect(past(minutes(182))).rejects.toThrow('a bug');
  });

  test('says by how much it is late while the service can’t be asked', async () => {
    await poll(0);
    await past(1);
    service.problem = { kind: 'unreachable' };
    await expect(past(minutes(60))).rejects.toThrow(ServiceError);
    expect((await environmentOf(store().db, environment))?.behindMs).toBeGreaterThan(30 * MINUTE);
  });
});

test('where the list leaves out the steps, as many events as the rate allows are asked for', async () => {
  for (let second = -200; second < 0; second++) service.events.push(sentAt(second));
  service.order = (events) => events.map((event) => ({ ...event, listsSteps: false, jobs: [] }));
  expect(await poll(0)).toMatchObject({ newEvents: 200, newUnreadable: 20 });
  expect(service.retrieved).toHaveLength(180);
  for (const minute of [4, 8, 12]) await past(minutes(minute));
  expect(await found()).toMatchObject({ eventsChecked: 200 });
});

test('where the list leaves out the steps, events are asked for by their IDs', async () => {
  const whole = { ...aFailedEvent({ id: 'without-steps' }), createdAt: at(-20) };
  service.events.push(settled(whole));
  service.order = (events) => events.map((event) => ({ ...event, listsSteps: false, jobs: [] }));
  expect(await poll(0)).toMatchObject({ newFailures: 1, newUnreadable: 0 });
  expect(service.retrieved).toEqual(['without-steps']);
  service.events.push(failsAt(30, 'gone'));
  service.retrieveEvent = async () => null;
  expect(await poll(60)).toMatchObject({ newFailures: 0, newUnreadable: 1 });
});

describe('the loops of an environment', () => {
  let heldMs: number;
  let happened: string[];
  beforeEach(() => {
    heldMs = 0;
  });

  const note = (_fields: object, sentence: string): void => void happened.push(sentence);
  const looping = (): Omit<PollCtx, keyof PollingCtx> => ({
    environments: [anEnvironment({ name: environment })],
    polls: createPolls({ wakePoll: async () => {}, sleep: async () => {}, heldForMs: () => 0 }),
    heldForMs: () => heldMs,
    wakePast: async () => void happened.push('past woken'),
    wakeAnnouncing: async () => void happened.push('announcing woken'),
    countRecorded: () => {},
  });

  async function happening(seconds: number, run: (ctx: PollCtx) => Promise<void>): Promise<string[]> {
    now = at(seconds);
    happened = [];
    const logger = { debug: note, info: note, warn: note, error: note };
    await run({ ...ctx({ logger }), ...looping() });
    return happened;
  }
  const pollLoop = (seconds: number) => happening(seconds, (looped) => pollPresent(looped, environment, NEVER));
  const pastLoop = (seconds: number) => happening(seconds, (looped) => pollPast(looped, environment, MINUTE, NEVER));

  test('a poll wakes announcing however it ends', async () => {
    expect(await pollLoop(0)).toEqual(['Events checked', 'announcing woken']);
    service.problem = { kind: 'unreachable' };
    expect(await pollLoop(60)).toEqual(["Events couldn't be read", 'announcing woken']);
    service.beforePage = () => {
      throw new TypeError('a bug');
    };
    await expect(pollLoop(120)).rejects.toThrow('a bug');
    expect(happened).toEqual(['announcing woken']);
  });

  test('a poll is a detail of the log unless it found something', async () => {
    const { logger, log } = heard();
    const logged = async (seconds: number) => {
      now = at(seconds);
      await pollPresent({ ...ctx({ logger }), ...looping() }, environment, NEVER);
      return log.splice(0).map(({ level }) => level);
    };
    expect(await logged(0)).toEqual(['debug']);
    service.events.push(settled({ ...aFailedEvent({ id: 'new' }), createdAt: at(30) }));
    expect(await logged(60)).toEqual(['info']);
  });

  test('questions that come before a poll begins share it, and it records until it ends', async () => {
    const woken: string[] = [];
    const wakePoll = async (woke: string) => void woken.push(woke);
    const polls = createPolls({ wakePoll, sleep: () => new Promise(() => {}), heldForMs: () => 0 });
    const asked = [polls.checkNow('a'), polls.checkNow('a')];
    expect(woken).toEqual(['a', 'a']);
    const recording = () => [polls.isRecording('a'), polls.isRecording('b')];
    expect(recording()).toEqual([false, false]);
    await polls.run('a', async () => expect(recording()).toEqual([true, false]));
    expect(recording()).toEqual([false, false]);
    expect(await Promise.all(asked)).toEqual(Array(2).fill({ outcome: 'checked', problem: null }));
  });

  test('a question is answered when the poll fails, and when it takes long', async () => {
    const polls = createPolls({
      wakePoll: async () => {},
      sleep: async () => {},
      heldForMs: (held) => (held === 'a' ? 5_000 : 0),
    });
    const problem = { kind: 'rate-limited', retryAfterMs: 5_000 } as const;
    expect(await polls.checkNow('a')).toEqual({ outcome: 'still checking', problem });
    expect(await polls.checkNow('b')).toEqual({ outcome: 'still checking', problem: null });
    const failing = createPolls({
      wakePoll: async () => {},
      sleep: () => new Promise(() => {}),
      heldForMs: () => 0,
    });
    const answers = [failing.checkNow('a'), failing.checkNow('b')];
    const fail = (error: Error) => async () => Promise.reject(error);
    await expect(failing.run('a', fail(new ServiceError('a', 'listEvents', problem)))).rejects.toThrow();
    await expect(failing.run('b', fail(new TypeError('a bug')))).rejects.toThrow('a bug');
    expect(await Promise.all(answers)).toEqual([problem, null].map((why) => ({ outcome: 'failed', problem: why })));
  });

  test('a poll that leaves a gap has the past checked at once', async () => {
    await pollLoop(0);
    expect(await pollLoop(3 * 3_600)).toContain('past woken');
  });

  test('present and past leave the service alone for as long as it asks', async () => {
    await pollLoop(0);
    heldMs = 30_000;
    expect([...(await pollLoop(120)), ...(await pastLoop(120))]).toEqual(['announcing woken']);
    heldMs = 5_000;
    expect(await pollLoop(150)).toContain('Events checked');
  });

  test('the past wakes announcing for new failures only, and does nothing before the present was checked', async () => {
    expect(await pastLoop(0)).toEqual([]);
    await pollLoop(1);
    expect(await pastLoop(90)).toEqual(['Late failures checked']);
    service.events.push(settled({ ...aFailedEvent({ id: 'late' }), createdAt: at(30) }));
    expect(await pastLoop(180)).toEqual(['Late failures checked', 'announcing woken']);
  });
});
