import { describe, expect, test } from 'vitest';
import { FencedOffError, ServiceError } from '../../domain/errors.ts';
import { aFailedEvent, aJob, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import { bouncing, settled } from '../model-service.testing.ts';
import { type ReadEnvironment, readEnvironment } from './reading.testing.ts';
import { PartOutOfTimeError, type RecheckParts } from './recheck.ts';

const store = keptStore();
const MINUTE = 60;

const queued = (id: string) => anEvent({ id, createdAt: at(-5), jobs: [aJob({ status: 'queued' })] });

/** An environment with an unsettled event that fails within a minute, and an email that bounces within two. */
async function readWithPast(): Promise<ReadEnvironment> {
  const environment = readEnvironment(store());
  const { service, pollAndRecheck } = environment;
  const failing = aFailedEvent({ id: 'unsettled', createdAt: at(-5) });
  service.events.push(
    {
      ...settled({ ...queued('unsettled'), createdAt: at(-5) }),
      seenAt: (now) => (now < at(30) ? queued('unsettled') : failing),
    },
    bouncing({ ...anEvent({ id: 'bounced' }), createdAt: at(-5) }, at(2 * MINUTE)),
  );
  await pollAndRecheck(NOON);
  return environment;
}

/** Makes sweeps do this; only sweeps request lists by channel. */
function letSweeps({ service }: ReadEnvironment, does: (pages: () => Promise<never>) => Promise<never>): void {
  const pages = service.eventPages.bind(service);
  const forever = () => new Promise<never>(() => {});
  service.eventPages = async function* (query) {
    if (query.channels !== undefined) await does(forever);
    yield* pages(query);
  };
}

async function behindOf({ environment }: ReadEnvironment, now: Date): Promise<number | undefined> {
  return (await store().polling.health(now)).find((one) => one.environment === environment)?.behindMs;
}

describe('the past of an environment', () => {
  test('is not checked before its present was polled', async () => {
    expect(await readEnvironment(store()).recheck(NOON)).toBeNull();
  });

  test('is checked in all its parts', async () => {
    const { recheck, found } = await readWithPast();
    expect(await recheck(at(3 * MINUTE))).toMatchObject({ newFailures: 2, caughtUp: true, troubles: [] });
    expect((await found()).counts).toEqual({ failed: 1, bounced: 1 });
  });

  test('has its other parts checked when one hangs, and reports that', async () => {
    const environment = await readWithPast();
    letSweeps(environment, (forever) => forever());
    const deadline = new AbortController();
    const abortAfter: RecheckParts['abortAfter'] = () => deadline.signal;
    const checking = environment.recheck(at(3 * MINUTE), { abortAfter });
    await expect.poll(async () => (await environment.found()).counts).toEqual({ failed: 1 });
    deadline.abort();
    const report = await checking;
    expect(report).toMatchObject({ newFailures: 1, caughtUp: false, troubles: [{ part: 'sweeps' }] });
    expect(report?.troubles[0]?.error).toBeInstanceOf(PartOutOfTimeError);
  });

  test.each([
    ['the service fails', new ServiceError('production', 'listEvents', { kind: 'unreachable' })],
    ['there is a bug', new TypeError('a bug')],
  ])('has the other parts checked when one throws because %s', async (_, error) => {
    const { service, recheck } = await readWithPast();
    service.retrieveEvent = () => Promise.reject(error);
    const report = await recheck(at(3 * MINUTE));
    expect(report).toMatchObject({ newFailures: 2, troubles: [{ part: 'unsettled events', error }] });
    expect(report?.sweep).toMatchObject({ behindMs: 0 });
  });

  test('is behind by the time since its sweeps last succeeded while they throw', async () => {
    const environment = await readWithPast();
    await environment.recheck(at(MINUTE));
    letSweeps(environment, () => Promise.reject(new TypeError('a bug')));
    await environment.recheck(at(4 * MINUTE));
    await environment.recheck(at(9 * MINUTE));
    expect(await behindOf(environment, at(9 * MINUTE))).toBe(8 * MINUTE * 1000);
  });

  test("isn't checked further after an abort", async () => {
    const { recheck, found } = await readWithPast();
    expect(await recheck(at(3 * MINUTE), { signal: AbortSignal.abort() })).toMatchObject({ troubles: [] });
    expect((await found()).counts).toEqual({});
  });

  test('neither fences off the present nor is fenced off by it', async () => {
    const { environment } = await readWithPast();
    const present = await store().polling.takeCursor(environment, NOON);
    const past = await store().polling.takePast(environment, NOON, NOON);
    if (past === null) throw new Error('there is a past');
    const reading = { trackedEvents: [], failures: [], successes: [], unreadable: [] };
    await store().polling.record(present, reading, NOON);
    await store().polling.takeCursor(environment, NOON);
    await store().polling.record(past, reading, NOON);
  });

  test('is left to the replica that checks it, and taken over after an interval', async () => {
    const environment = await readWithPast();
    const { service, recheck, clock } = environment;
    const retrieve = service.retrieveEvent.bind(service);
    const others: unknown[] = [];
    service.retrieveEvent = async (id) => {
      others.push(await recheck(at(4 * MINUTE - 1)));
      service.retrieveEvent = retrieve;
      clock.now = at(4 * MINUTE);
      others.push(await recheck(clock.now));
      return retrieve(id);
    };
    await expect(recheck(at(3 * MINUTE))).rejects.toThrow(FencedOffError);
    expect(others).toEqual([null, expect.objectContaining({ newFailures: 2, caughtUp: true })]);
  });

  test('can be checked again as soon as a recheck has ended, however it did', async () => {
    const { service, recheck } = await readWithPast();
    const retrieve = service.retrieveEvent.bind(service);
    service.retrieveEvent = () => Promise.reject(new TypeError('a bug'));
    await recheck(at(3 * MINUTE));
    service.retrieveEvent = retrieve;
    expect(await recheck(at(3 * MINUTE + 1))).not.toBeNull();
    await recheck(at(3 * MINUTE + 2), { signal: AbortSignal.abort() });
    expect(await recheck(at(3 * MINUTE + 3))).toMatchObject({ caughtUp: true });
  });
});
