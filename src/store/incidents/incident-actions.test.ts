import { describe, expect, test } from 'vitest';
import type { Failure } from '../../domain/failures/failure.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, checkedTo, failure, recordFailures } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';
import type { Store } from '../store.ts';

const DAY_MINUTES = EPISODE_MS / 60_000;

const row = (episodeId: number) => ({ messageId: 'none', episodeId });

describeStore('acting on a group', (store) => {
  describe('acknowledging', () => {
    test('is done by the first person; the second learns who that was', async () => {
      const episodeId = await anEpisode(store());
      const done = await Promise.all(
        ['U0ANN', 'U0BEN'].map((by) => store().incidents.acknowledge(row(episodeId), by, at(1))),
      );
      expect(done.filter((one) => one?.isFirst)).toHaveLength(1);
      const [first] = done.filter((one) => one?.isFirst);
      for (const one of done) expect(one?.acknowledged).toEqual(first?.acknowledged);
    });

    test('can be removed by anybody, and then done again', async () => {
      const episodeId = await anEpisode(store());
      await store().incidents.acknowledge(row(episodeId), 'U0ANN', at(1));
      const [first, second] = await Promise.all(
        ['U0BEN', 'U0CAT'].map((by) => store().incidents.unacknowledge(row(episodeId), { of: 'U0ANN', by }, at(2))),
      );
      expect([first, second]).toContainEqual({ is: 'done', acknowledged: { by: 'U0ANN', at: at(1) } });
      const unacknowledged = { by: expect.stringMatching(/^U0(BEN|CAT)$/), at: at(2) };
      expect([first, second]).toContainEqual({ is: 'already', unacknowledged });
      expect(await store().incidents.acknowledge(row(episodeId), 'U0CAT', at(3))).toMatchObject({
        isFirst: true,
      });
      expect((await actedOn(store(), episodeId, 3))?.episode).toMatchObject({
        acknowledged: { by: 'U0CAT', at: at(3) },
        unacknowledged: null,
      });
    });

    test("can't be removed in place of another person's", async () => {
      const episodeId = await anEpisode(store());
      await store().incidents.acknowledge(row(episodeId), 'U0BEN', at(1));
      const acknowledged = { by: 'U0BEN', at: at(1) };
      expect(await store().incidents.unacknowledge(row(episodeId), { of: 'U0ANN', by: 'U0CAT' }, at(2))).toEqual({
        is: 'another',
        acknowledged,
      });
      expect((await actedOn(store(), episodeId, 3))?.episode).toMatchObject({ acknowledged });
    });

    test('finds nothing if the episode is forgotten', async () => {
      expect(await store().incidents.acknowledge(row(999), 'U0ANN', at(1))).toBeNull();
      expect(await store().incidents.unacknowledge(row(999), { of: 'U0ANN', by: 'U0ANN' }, at(1))).toBeNull();
    });
  });

  describe('assigning', () => {
    test('is to one person at a time, and lasts until a relapse', async () => {
      const episodeId = await anEpisode(store());
      const first = { to: 'U0BEN', by: 'U0ANN', at: at(1) };
      const second = { to: 'U0CAT', by: 'U0CAT', at: at(2) };
      expect(await store().incidents.assign(row(episodeId), first)).toEqual({
        isNew: true,
        assigned: first,
        before: null,
      });
      expect(await store().incidents.assign(row(episodeId), second)).toEqual({
        isNew: true,
        assigned: second,
        before: first,
      });
      expect((await actedOn(store(), episodeId, 3))?.episode.assigned).toEqual(second);
      await store().incidents.resolve(row(episodeId), 'U0ANN', at(3));
      await recordFailures(store(), at(5), [failure({ eventKey: 'later', occurredAt: at(4) })]);
      expect((await actedOn(store(), episodeId, 6))?.episode).toMatchObject({ relapses: 1, assigned: null });
    });

    test('finds nothing if the episode is forgotten', async () => {
      expect(await store().incidents.assign(row(999), { to: 'U0BEN', by: 'U0ANN', at: at(1) })).toBeNull();
    });
  });

  describe('assigning at the same time', () => {
    test('to the same person is done once', async () => {
      const episodeId = await anEpisode(store());
      const assign = () => store().incidents.assign(row(episodeId), { to: 'U0BEN', by: 'U0ANN', at: at(1) });
      const done = await Promise.all([assign(), assign()]);
      expect(done.filter((one) => one?.isNew)).toHaveLength(1);
      for (const one of done) expect(one?.assigned).toEqual({ to: 'U0BEN', by: 'U0ANN', at: at(1) });
    });

    test('to two people says to the later one whom it replaces', async () => {
      const episodeId = await anEpisode(store());
      const done = await Promise.all(
        ['U0BEN', 'U0CAT'].map((to) => store().incidents.assign(row(episodeId), { to, by: 'U0ANN', at: at(1) })),
      );
      const first = done.find((one) => one?.before === null);
      const later = done.find((one) => one?.before !== null);
      expect(later?.before).toEqual(first?.assigned);
      expect((await actedOn(store(), episodeId, 2))?.episode.assigned).toEqual(later?.assigned);
    });
  });

  describe('resolving', () => {
    test('by the row of an earlier day reaches the incident that goes on', async () => {
      const old = await anEpisode(store());
      for (let minute = 50; minute < DAY_MINUTES; minute += 50) {
        expect(await anEpisode(store(), [failure({ eventKey: `event at ${minute}` })], minute)).toBe(old);
      }
      const next = await anEpisode(store(), [failure({ eventKey: 'event-2' })], DAY_MINUTES + 10);
      expect(await actedOn(store(), old, DAY_MINUTES + 21)).toMatchObject({
        newest: { episodeId: next },
        cameBack: false,
      });
      expect(await store().incidents.resolve(row(old), 'U0ANN', at(DAY_MINUTES + 21))).toEqual({
        isFirst: true,
        by: 'U0ANN',
      });
      expect((await actedOn(store(), next, DAY_MINUTES + 22))?.episode.state).toMatchObject({ is: 'resolved' });
    });

    test("by a row from before a pause doesn't reach the outage that began after it", async () => {
      const old = await anEpisode(store());
      await checkedTo(store(), at(4 * DAY_MINUTES));
      const later = await anEpisode(store(), [failure({ eventKey: 'event-2' })], 5 * DAY_MINUTES);
      expect(later).toBeGreaterThan(old);
      expect((await actedOn(store(), old, 5 * DAY_MINUTES))?.cameBack).toBe(true);
      expect(await store().incidents.resolve(row(old), 'U0ANN', at(5 * DAY_MINUTES + 1))).toBe('came-back');
      expect((await actedOn(store(), later, 5 * DAY_MINUTES + 2))?.episode.state).toEqual({ is: 'firing' });
      expect((await actedOn(store(), later, 5 * DAY_MINUTES + 2))?.cameBack).toBe(false);
    });
  });

  describe("an action's target", () => {
    test('is over a day after its last failure, as in lists of open incidents, and not with the day of its row', async () => {
      const id = await anEpisode(store());
      await anEpisode(store(), [failure({ eventKey: 'late in its day' })], 50);
      const [open, over] = [DAY_MINUTES + 49, DAY_MINUTES + 50];
      expect(await actedOn(store(), id, open)).toMatchObject({ newest: { episodeId: id }, hasEnded: false });
      expect(await actedOn(store(), id, over)).toMatchObject({ newest: { episodeId: id }, hasEnded: true });
      const listed = await Promise.all(
        [open, over].map((minute) => store().incidents.openByOwner(['production'], 9, at(minute))),
      );
      expect(listed.map(({ items }) => items.map(({ episodeId }) => episodeId))).toEqual([[id], []]);
    });

    test('is the episode with the newest of its incident, and the watch of the message', async () => {
      const watch = await store().watches.makeWatch(
        { channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED },
        at(-1),
      );
      const old = await anEpisode(store());
      const [messageId = ''] = await announceFailures('production', {
        store: store().alerting,
        logger: silent,
        now: () => at(0),
      });
      expect(await store().incidents.actedOn({ messageId: messageId, episodeId: old }, at(1))).toMatchObject({
        episode: { episodeId: old, tally: { failures: 1 } },
        newest: { episodeId: old },
        hasEnded: false,
        watch: { id: watch.id },
      });
      await recordFailures(store(), at(DAY_MINUTES + 60), [failure({ eventKey: 'event-2' })]);
      const later = await store().incidents.actedOn({ messageId: messageId, episodeId: old }, at(DAY_MINUTES + 61));
      expect(later?.hasEnded).toBe(true);
      expect(later?.newest.episodeId).toBeGreaterThan(old);
      await store().watches.endWatch(watch.id, 'U0ANN', at(DAY_MINUTES + 62));
      const ended = await store().incidents.actedOn({ messageId: messageId, episodeId: old }, at(DAY_MINUTES + 62));
      expect(ended?.watch).toBeNull();
    });

    test('is nothing if the episode is forgotten', async () => {
      expect(await actedOn(store(), 999, 1)).toBeNull();
    });
  });

  describe('an episode’s failures', () => {
    test('are listed page by page, the newest first, even while new ones arrive', async () => {
      const episodeId = await anEpisode(
        store(),
        failuresOf(['d', 'a', 'e', 'b', 'c'], (index) => [3, 0, 4, 1, 2][index] ?? 0),
        5,
      );
      const first = await store().incidents.episodeFailures(episodeId, { upTo: null, offset: 0, limit: 2 });
      await recordFailures(
        store(),
        at(9),
        failuresOf(['new'], () => 9),
      );
      const second = await store().incidents.episodeFailures(episodeId, { upTo: first.upTo, offset: 2, limit: 2 });
      const third = await store().incidents.episodeFailures(episodeId, { upTo: first.upTo, offset: 4, limit: 2 });
      const listed = [first, second, third].flatMap((page) => page.failures.map(({ subscriberId }) => subscriberId));
      expect(listed).toEqual(['e', 'd', 'c', 'b', 'a']);
    });

    test('are those of the episode only, not of the previous one', async () => {
      await anEpisode(store(), failuresOf(['old']));
      const episodeId = await anEpisode(store(), failuresOf(['young']), DAY_MINUTES + 60);
      const { failures } = await store().incidents.episodeFailures(episodeId, { upTo: null, offset: 0, limit: 9 });
      expect(failures.map(({ subscriberId }) => subscriberId)).toEqual(['young']);
      expect(await affected(store(), episodeId)).toEqual(['young']);
    });
  });

  describe('subscribers affected by an episode', () => {
    test('are returned once each: most failures first, then the most recent, or ordered by ID from any point on', async () => {
      const failures = [
        ...failuresOf(['b', 'a', 'c'], (index) => index),
        failure({ eventKey: 'again', subscriberId: 'b', occurredAt: at(3) }),
        failure({ eventKey: 'nobody', subscriberId: null }),
      ];
      const episodeId = await anEpisode(store(), failures, 5);
      const most = await store().incidents.mostAffected(episodeId, 9);
      expect(most).toEqual([
        { subscriberId: 'b', failures: 2, firstSeen: at(0), lastSeen: at(3) },
        { subscriberId: 'c', failures: 1, firstSeen: at(2), lastSeen: at(2) },
        { subscriberId: 'a', failures: 1, firstSeen: at(1), lastSeen: at(1) },
      ]);
      expect(await store().incidents.mostAffected(episodeId, 2)).toEqual(most.slice(0, 2));
      expect(await affected(store(), episodeId)).toEqual(['a', 'b', 'c']);
      expect(await affected(store(), episodeId, { after: 'a', limit: 1 })).toEqual(['b']);
    });

    test('are counted by what the failures have in common', async () => {
      const labels = { topics: ['launch'], tags: [], severity: null };
      const failures = [
        ...failuresOf(['a', 'b', 'c']).map((one) => ({ ...one, ...labels, contexts: ['tenant:acme'] })),
        failure({ ...labels, eventKey: 'again', subscriberId: 'b', contexts: ['tenant:acme', 'tenant:globex'] }),
        failure({ ...labels, eventKey: 'nobody', subscriberId: null }),
      ];
      const episodeId = await anEpisode(store(), failures);
      expect(await store().incidents.inCommon(episodeId)).toEqual({
        failures: 5,
        values: [
          { kind: 'context', value: 'tenant:acme', failures: 4, ofValues: 2 },
          { kind: 'context', value: 'tenant:globex', failures: 1, ofValues: 2 },
          { kind: 'topic', value: 'launch', failures: 5, ofValues: 1 },
          { kind: 'subscriber', value: 'b', failures: 2, ofValues: 3 },
        ],
      });
      expect(await store().incidents.inCommon(episodeId + 1)).toEqual({ failures: 0, values: [] });
    });
  });
});

function failuresOf(subscribers: readonly string[], minute: (index: number) => number = () => 0): Failure[] {
  return subscribers.map((subscriberId, index) =>
    failure({ eventKey: `event-of-${subscriberId}`, subscriberId, occurredAt: at(minute(index)) }),
  );
}

async function anEpisode(store: Store, failures: readonly Failure[] = [failure()], minute = 0): Promise<number> {
  await recordFailures(store, at(minute), failures);
  const { rows } = await store.executeSql('SELECT max(id)::int AS id FROM episodes');
  return Number(Object.values(rows[0] ?? {})[0]);
}

function actedOn(store: Store, episodeId: number, minute: number) {
  return store.incidents.actedOn({ messageId: 'unknown', episodeId }, at(minute));
}

async function affected(
  store: Store,
  episodeId: number,
  page: Partial<Parameters<Store['incidents']['affected']>[1]> = {},
): Promise<string[]> {
  const hit = await store.incidents.affected(episodeId, { after: null, limit: 9, ...page });
  return hit.map(({ subscriberId }) => subscriberId);
}
