import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aFailedEvent, aJob, anEvent, at, aWorkflow, NOON } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { canBeInPath } from '../../domain/text/bounded-id.ts';
import { ENGINES, keptStore, openTestStore } from '../../store/store.testing.ts';
import type { Store } from '../../store/store.ts';
import { settled } from '../model-service.testing.ts';
import { isolateRefused } from './isolate-refused.ts';
import { type ReadEnvironment, readEnvironment } from './reading.testing.ts';

const store = keptStore();
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const MINUTE = 60;

type Dated = TriggeredEvent & { readonly createdAt: Date };
const failed = (id: string | null, seconds: number, change: Partial<TriggeredEvent> = {}): Dated => ({
  ...aFailedEvent({ id, ...change }),
  createdAt: at(seconds),
});

/** Random, so that compression can't shrink it. */
const LONG = randomBytes(3_000).toString('hex');
const subscriber = (subscriberId: string) => ({ subscriberId, initials: null, maskedEmail: null, maskedPhone: null });
const workflow = (identifier: string) => aWorkflow({ identifier, name: identifier });

/** A service that, like the real client, refuses to request an event by an ID that can't be part of a URL. */
function readPoisoned(): ReadEnvironment {
  const environment = readEnvironment(store());
  const retrieve = environment.service.retrieveEvent.bind(environment.service);
  environment.service.retrieveEvent = async (id) => {
    expect(canBeInPath(id)).toBe(true);
    return retrieve(id);
  };
  return environment;
}

describe('an event with an id of 6 kB', () => {
  test.each<[string, Dated]>([
    ['of its own', failed(LONG, -5)],
    ['of its transaction, and none of its own', failed(null, -5, { transactionId: LONG })],
    ['of its subscriber', failed('e', -5, { subscriber: subscriber(LONG) })],
    ['of its workflow', failed('e', -5, { workflow: workflow(LONG) })],
    ['of its topic', failed('e', -5, { topicKeys: [LONG] })],
    ['of a step and a provider', failed('e', -5, { jobs: [{ ...aFailedJob(), id: LONG, provider: LONG }] })],
  ])('%s is recorded once, like its neighbors', async (_, event) => {
    const { service, pollAndRecheck } = readPoisoned();
    service.events.push(settled(event), settled(failed('neighbor', -4)));
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 2, newFailures: 2, trouble: null });
    expect(await pollAndRecheck(at(MINUTE))).toMatchObject({ newEvents: 0, newFailures: 0 });
  });

  function aFailedJob() {
    const [job] = aFailedEvent().jobs;
    if (job === undefined) throw new Error('a failed event has a job');
    return job;
  }
});

describe("an unsettled event whose ID can't be part of a URL", () => {
  test.each([
    ['a dot', '.'],
    ['half a surrogate pair', '\ud800'],
    ['6 kB long', LONG],
  ])('is found again in the list: %s', async (_, id) => {
    const { service, pollAndRecheck, found } = readPoisoned();
    const queued = { ...anEvent({ id, jobs: [aJob({ status: 'queued' })] }), createdAt: at(-5) };
    service.events.push({ ...settled(queued), seenAt: (now) => (now < at(30) ? queued : failed(id, -5)) });
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 1, newFailures: 0, trouble: null });
    expect(await pollAndRecheck(at(10 * MINUTE))).toMatchObject({ newFailures: 1, trouble: null });
    expect((await found()).counts).toEqual({ failed: 1 });
  });
});

describe('an event that the store refuses', () => {
  const allow = () => store().executeSql('ALTER TABLE failures DROP CONSTRAINT IF EXISTS no_poison');
  const refuse = () =>
    store().executeSql(`ALTER TABLE failures ADD CONSTRAINT no_poison CHECK (subscriber_id <> 'poison') NOT VALID`);
  afterEach(allow);

  function withRefused(): ReadEnvironment {
    const environment = readPoisoned();
    // In-app instead of email, so that no sweep finds it.
    const steps = aFailedEvent().jobs.map((job) => ({ ...job, type: 'in_app' }));
    const change = { subscriber: subscriber('poison'), channels: ['in_app'], jobs: steps };
    const poisonous = failed('secret-id', -5, change);
    environment.service.events.push(settled(failed('a', -6)), settled(poisonous), settled(failed('b', -4)));
    return environment;
  }

  test('is counted as unreadable and logged once without its contents, while its neighbors are recorded', async () => {
    await refuse();
    const environment = withRefused();
    const logged: string[] = [];
    const error = (...line: unknown[]): void => void logged.push(JSON.stringify(line));
    const isolated = isolateRefused(store().polling, { ...silent, error });
    for (const minute of [0, 1, 2]) await environment.pollAndRecheck(at(minute * MINUTE), { store: isolated });
    expect(await environment.found()).toMatchObject({ eventsChecked: 2, unreadable: 1, failedEvents: 2 });
    expect(logged).toEqual([expect.stringMatching(/23514.*Event could not be recorded/)]);
    expect(logged.join()).not.toMatch(/secret-id|poison/);
  });

  test('is recorded when it is read again and accepted', async () => {
    await refuse();
    const environment = withRefused();
    expect(await environment.pollAndRecheck(NOON)).toMatchObject({ newEvents: 2, newFailures: 2, trouble: null });
    await allow();
    expect(await environment.pollAndRecheck(at(MINUTE))).toMatchObject({ newEvents: 1, newFailures: 1 });
  });

  test('loses no page when the database itself fails', async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    service.events.push(settled(failed('a', -6)));
    const lost = { ...store().polling, record: () => Promise.reject(new Error('Connection terminated')) };
    await expect(pollAndRecheck(NOON, { store: lost })).rejects.toThrow('Connection terminated');
    expect(await pollAndRecheck(at(1))).toMatchObject({ newFailures: 1 });
  });
});

describe.each(ENGINES)('hostile ids, on the %s database', (engine) => {
  let own: Store;
  beforeAll(async () => {
    own = await openTestStore(engine);
  });
  afterAll(() => own.close());

  const id = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '',
      '.',
      '..',
      '\0',
      '\ud800',
      '\udfff.',
      "'; --",
      '%00',
      '{}',
      'null',
      LONG,
      `${LONG}.`,
      '𝒳'.repeat(900),
    ),
  );
  const ids = fc.record({
    id: fc.option(id),
    transactionId: id,
    subscriber: fc.option(id.map(subscriber)),
    workflow: fc.option(id.map(workflow)),
    topicKeys: fc.array(id, { maxLength: 3 }),
    severity: fc.option(id),
    step: fc.record({ id, type: id, provider: fc.option(id), stepName: fc.option(id) }),
  });

  const plain = { id: null, transactionId: 't', subscriber: null, topicKeys: [], severity: null };
  const step = { id: 's', type: 'email', provider: null, stepName: null };
  /** Workflows with different names that are the same once stored. */
  const SAME_ONCE_STORED = ['\ud800', '\0'].map((name) => ({ ...plain, step, workflow: workflow(name) }));

  test('never make recording throw, and never block a neighbor', async () => {
    const [job] = aFailedEvent().jobs;
    if (job === undefined) throw new Error('a failed event has a job');
    await fc.assert(
      fc.asyncProperty(fc.array(ids, { minLength: 1, maxLength: 4 }), async (hostile) => {
        const { service, pollAndRecheck, found } = readEnvironment(own);
        const events = hostile.map(({ step, ...change }, index) => {
          return failed(null, -10 - index, { ...change, jobs: [{ ...job, ...step }] });
        });
        service.events.push(...[...events, failed('neighbor', -1)].map(settled));
        // Without isolation: the store shouldn't refuse anything in the first place.
        expect(await pollAndRecheck(NOON, { store: own.polling })).toMatchObject({ trouble: null });
        const { groups } = await found();
        expect(groups.map(({ group }) => group.workflow)).toContain('order-shipped');
      }),
      { numRuns: 6, examples: [[SAME_ONCE_STORED]] },
    );
  });
});
