import { beforeEach, expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import type { Failure } from '../judging/failure.ts';
import { ALL_FAILURES } from '../judging/filter.ts';
import { at, failureOf, openedEnvironment, reading, record } from '../store/examples.testing.ts';
import { failuresOf, mostAffected, mostAffectedLabels } from './affected.ts';
import { type HistoryQuery, history } from './history.ts';
import type { IncidentNow } from './incident.ts';
import * as lists from './lists.ts';
import { countOpen, openIncidents, openRows, type Top } from './open-incidents.ts';

const HISTORY: HistoryQuery = {
  environment: 'production',
  filter: ALL_FAILURES,
  since: at(0),
  isUnseen: false,
  olderThan: null,
  limit: 2,
};

describeNight('Lists of incidents', (night) => {
  beforeEach(() => night.watch());
  const fails = (cause: string, changes: Partial<Failure> = {}) =>
    failureOf(cause, { occurredAt: night.now(), eventCreatedAt: night.now(), ...changes });
  const shown = (id: number) => lists.incidentNow(night.store.db, id, night.now());
  const texts = ({ items, more }: Top<IncidentNow>) => [...items.map((item) => item.cause.text), more];

  test('the workflows that an incident hit begin with the critical ones', async () => {
    const digests = [1, 2].map((place) =>
      fails('a', { eventKey: `${place}`, workflow: 'digest', workflowName: 'Digest' }),
    );
    await night.poll(...digests, fails('a', { workflow: 'login', workflowName: 'Login', critical: true }));
    expect(await lists.wholeHit(night.store.db, 1)).toEqual({ workflows: ['Login', 'Digest'], worst: 'some' });
  });

  test('open incidents are listed by importance and counted, but not those elsewhere, warnings and old doubts', async () => {
    const { db } = night.store;
    const here = ['production', 'qa'];
    const count = async (now: Date) => countOpen(await openRows(db, here, now));
    await night.poll(fails('doubtful'), fails('550 5.1.1 mailbox does not exist'));
    for (const minutes of [5, 10]) await night.wait(minutes);
    expect(await count(at(1439))).toEqual({ firing: 0, critical: 0, unconfirmed: 1 });
    night.minutes = 1440;
    await night.poll(fails('recovering'));
    await night.wait(5);
    await night.poll(
      ...['once', 'often', 'first', 'last'].map((cause) => fails(cause)),
      ...[fails('often', { jobId: '2' }), fails('test', { isTest: true, critical: true })],
      ...[fails('critical', { critical: true }), fails('warning', { verdict: 'warning' })],
    );
    await openedEnvironment(night.store, 'staging');
    await record(night.store, 'staging', reading({ failures: [fails('other')] }), night.now());
    const open = async (limit: number) => texts(await openIncidents(db, here, limit, night.now()));
    expect(await open(3)).toEqual(['critical', 'often', 'once', 4]);
    expect(await open(9)).toEqual(['critical', 'often', 'once', 'first', 'last', 'test', 'recovering', 0]);
    expect(await count(night.now())).toEqual({ firing: 6, critical: 2, unconfirmed: 1 });
    await night.does(5, { what: 'acknowledged' });
    await night.does(6, { what: 'assigned', to: 'U0BEN' });
    expect(await openIncidents(db, here, 1, night.now())).toMatchObject({ unowned: 5 });
    expect(await openIncidents(db, [], 1, night.now())).toEqual({ items: [], more: 0, unowned: 0 });
  });

  test('resolved incidents are listed from a time on, the newest first, with how many more there are', async () => {
    await night.poll(...['first', 'second', 'third'].map((cause) => fails(cause)), fails('d', { verdict: 'warning' }));
    await openedEnvironment(night.store, 'staging');
    await record(night.store, 'staging', reading({ failures: [fails('elsewhere')] }), night.now());
    await night.does(1, { what: 'resolved' });
    night.minutes = 1;
    for (const id of [2, 3, 5]) await night.does(id, { what: 'resolved' });
    const resolved = async (from: number, limit: number) => {
      const range = { from: at(from), to: night.now() };
      return texts(await lists.resolvedIncidents(night.store.db, ['production'], range, limit));
    };
    expect(await resolved(0, 1)).toEqual(['third', 2]);
    expect(await resolved(1, 9)).toEqual(['third', 'second', 0]);
  });

  test("the history shows pages of an environment, only what is asked for, and what isn't alerted only then", async () => {
    await night.poll(fails('a', { topics: ['vip'] }));
    night.minutes = 5;
    await night.poll(fails('b', { topics: ['vip'] }), fails('c', { verdict: 'warning', topics: ['vip'] }));
    await night.poll(fails('d'), fails('e', { verdict: 'retried-then-fine' }));
    const page = async (query: Partial<HistoryQuery>) => {
      const { incidents, hasOlder } = await history(night.store.db, { ...HISTORY, ...query }, night.now());
      return [...incidents.map(({ id }) => id), hasOlder];
    };
    expect(await page({})).toEqual([4, 2, true]);
    expect(await page({ limit: 3 })).toEqual([4, 2, 1, false]);
    expect(await page({ since: at(1), olderThan: 4 })).toEqual([2, false]);
    expect(await page({ environment: 'qa' })).toEqual([false]);
    expect(await page({ filter: { ...ALL_FAILURES, topics: ['VIP'] } })).toEqual([2, 1, false]);
    expect(await page({ filter: { ...ALL_FAILURES, verdicts: ['warning'] } })).toEqual([3, false]);
    expect(await page({ filter: { ...ALL_FAILURES, verdicts: ['retried-then-fine', 'failed'] } })).toEqual([
      5,
      4,
      true,
    ]);
    expect(await shown(3)).toMatchObject({ attempts: null, verdict: 'warning' });
    await night.does(4, { what: 'unacknowledged' });
    await night.does(2, { what: 'noted', text: 'seen' });
    expect(await page({ isUnseen: true })).toEqual([4, 1, false]);
  });

  test('the history counts the people of all outbreaks of an incident, as it counts the failures', async () => {
    await night.poll(fails('a', { subscriberId: 'ann', jobId: '1' }), fails('a', { subscriberId: 'ben', jobId: '2' }));
    await night.does(1, { what: 'resolved' });
    night.minutes = 9;
    await night.poll(fails('a', { subscriberId: 'ann', jobId: '3' }), fails('b'));
    const { incidents } = await history(night.store.db, HISTORY, night.now());
    const counts = incidents.map(({ failuresInAll, subscribers }) => [failuresInAll, subscribers]);
    expect(counts).toEqual([
      [1, 1],
      [3, 2],
    ]);
  });

  test('an incident is found by its number, and only with its own code where one is added', async () => {
    await night.poll(fails('a'), fails('b'));
    const numbered = (incidentId: number, code: string | null) =>
      lists.incidentNumbered(night.store.db, { incidentId, code }, night.now());
    const first = await shown(1);
    expect(await numbered(1, null)).toEqual(first);
    expect(await numbered(1, first?.code ?? '')).toEqual(first);
    await expect(numbered(1, (await shown(2))?.code ?? '')).rejects.toThrow(/This is about another #1 than today's/);
    await expect(numbered(99, null)).rejects.toThrow(/There is no incident #99/);
  });

  test("an event's incidents are found, also once they are resolved, but not those of its warnings", async () => {
    const failed = (jobId: string, changes: Partial<Failure>) => fails('a', { jobId, ...changes });
    await night.poll(failed('1', {}), failed('2', { channel: 'sms' }), failed('3', { verdict: 'warning' }));
    const ofEvent = async () => {
      const found = await lists.incidentsOfEvent(night.store.db, 'production', 'event-a', night.now());
      return found.map(({ id }) => id);
    };
    expect(await ofEvent()).toEqual([1, 2]);
    await night.does(2, { what: 'resolved' });
    expect(await ofEvent()).toEqual([1, 2]);
  });

  const hit = (subscriberId: string | null, place: number) =>
    fails('a', {
      subscriberId,
      jobId: `${place}`,
      occurredAt: at(place),
      transactionId: `${subscriberId} ${place}`,
      contexts: ['tenant:acme', `plan:${subscriberId === 'ann' ? 'paid' : 'free'}`],
    });
  const hitSix = async () => {
    night.minutes = 9;
    await night.poll(...['ann', 'ben', 'ann', 'cat', null, null].map((who, place) => hit(who, place + 1)));
  };

  test("an incident's failures are listed in pages, the newest first, which later ones don't shift", async () => {
    await hitSix();
    const page = async (incidentId: number, upTo: number | null, offset: number) => {
      const found = await failuresOf(night.store.db, incidentId, { upTo, offset, limit: 3 });
      return [...found.failures.map(({ transactionId }) => transactionId), found.upTo];
    };
    expect(await page(1, null, 0)).toEqual(['null 6', 'null 5', 'cat 4', 6]);
    await night.poll(hit('dan', 7));
    expect(await page(1, 6, 3)).toEqual(['ann 3', 'ben 2', 'ann 1', 6]);
    expect(await page(99, null, 0)).toEqual([0]);
  });

  test('whom an incident hit most is listed by person, and by what they have in common', async () => {
    const { db } = night.store;
    await hitSix();
    expect(await mostAffected(db, 1, 2)).toMatchObject([
      { subscriberId: 'ann', failures: 2, firstSeen: at(1), lastSeen: at(3) },
      { subscriberId: 'cat', failures: 1, firstSeen: at(4), lastSeen: at(4) },
    ]);
    expect(await mostAffectedLabels(db, 1, 2)).toEqual([
      { label: 'tenant:acme', subscribers: 3 },
      { label: 'plan:free', subscribers: 2 },
    ]);
  });
});
