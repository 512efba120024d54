import { describe, expect, it } from 'vitest';
import { FencedOffError } from '../domain/errors.ts';
import { ALL_FAILURES } from '../domain/failure-filter.ts';
import { ALL_TIME, at, failure, NOON, reading, readTo, sighting, stretch, takeCursor } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

describeStore('what was read', (store) => {
  const eventsRead = async (): Promise<number> =>
    (await store().failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES)).eventsRead;

  describe('the cursor', () => {
    it('begins where the first reading does, and covers nothing yet', async () => {
      expect(await takeCursor(store())).toEqual({
        environment: 'production',
        version: 1,
        coveredFrom: at(-60),
        readTo: at(-60),
        newestEventAt: null,
        lastRoundAt: null,
        problem: null,
      });
      expect(await store().coverage('production')).toBeNull();
    });

    it('moves with what was read and remembers the newest event', async () => {
      const cursor = await takeCursor(store());
      await store().record(cursor, reading({ sightings: [sighting({ createdAt: at(-2) })] }), NOON);
      await readTo(store(), NOON);
      expect(await takeCursor(store())).toMatchObject({ readTo: NOON, newestEventAt: at(-2), lastRoundAt: NOON });
      expect(await store().coverage('production')).toEqual({ from: at(-60), to: NOON });
    });

    it('never moves back', async () => {
      await readTo(store(), NOON);
      await readTo(store(), at(-5));
      expect(await takeCursor(store())).toMatchObject({ readTo: NOON });
    });

    it('remembers what kept the last round from reading, until one succeeds', async () => {
      await store().noteTrouble(await takeCursor(store()), { kind: 'unreachable' }, NOON);
      expect(await takeCursor(store())).toMatchObject({ problem: { kind: 'unreachable' }, readTo: at(-60) });
      await readTo(store(), at(1));
      expect(await takeCursor(store())).toMatchObject({ problem: null });
    });

    it('fences off whoever took it before, who then writes nothing', async () => {
      const before = await takeCursor(store());
      const after = await takeCursor(store());
      const page = reading({ sightings: [sighting()], failures: [failure()] });
      await expect(store().record(before, page, NOON)).rejects.toThrow(FencedOffError);
      await expect(store().postpone(before, ['event-1'], null)).rejects.toThrow(FencedOffError);
      const present = { to: NOON, setAside: [stretch(at(-60), NOON)], clockAheadMs: null };
      await expect(store().finishPresent(before, present, NOON)).rejects.toThrow(FencedOffError);
      await expect(store().noteTrouble(before, { kind: 'unreachable' }, NOON)).rejects.toThrow(FencedOffError);
      expect(await store().gapsIn('production', ALL_TIME)).toEqual([]);
      expect(await eventsRead()).toBe(0);
      expect(await store().record(after, page, NOON)).toEqual({ newEvents: 1, newFailures: 1 });
    });

    it('is another one in another environment', async () => {
      await takeCursor(store());
      expect(await store().takeCursor('staging', NOON)).toMatchObject({ version: 1, readTo: NOON });
    });
  });

  describe('a page', () => {
    const page = reading({
      sightings: [sighting(), sighting({ eventKey: 'event-2', workflow: null, createdAt: null })],
      failures: [failure(), failure({ detailId: 'detail-2', occurredAt: null, eventCreatedAt: null })],
      unreadable: [{ key: 'odd', createdAt: null }],
    });

    it('counts once, however often it is read', async () => {
      const cursor = await takeCursor(store());
      expect(await store().record(cursor, page, NOON)).toEqual({ newEvents: 2, newFailures: 2 });
      expect(await store().record(cursor, page, at(1))).toEqual({ newEvents: 0, newFailures: 0 });
      expect(await store().failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES)).toMatchObject({
        eventsRead: 2,
        unreadable: 1,
        counts: { failed: 2 },
        workflowEvents: new Map([['order-shipped', 1]]),
      });
    });

    it('may name an event twice', async () => {
      const twice = reading({ sightings: [sighting(), sighting()], failures: [failure(), failure()] });
      const cursor = await takeCursor(store());
      expect(await store().record(cursor, twice, NOON)).toEqual({ newEvents: 1, newFailures: 1 });
    });

    it('leaves a failure in the group that it came into', async () => {
      const cursor = await takeCursor(store());
      await store().record(cursor, reading({ failures: [failure()] }), NOON);
      await store().record(cursor, reading({ failures: [failure({ verdict: 'retried-then-fine' })] }), at(1));
      const { counts, groups } = await store().failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES);
      expect(counts).toEqual({ failed: 1 });
      expect(groups).toHaveLength(1);
    });

    it('may hold any text and any time', async () => {
      const odd = 'NUL \0, half a pair \ud800, "quotes", emoji 🚨, \\u0000';
      const never = new Date(8.64e15);
      const odder = reading({
        sightings: [sighting({ eventKey: odd, createdAt: never })],
        failures: [failure({ eventKey: odd, cause: { text: odd, key: odd }, occurredAt: new Date(-8.64e15) })],
      });
      const cursor = await takeCursor(store());
      expect(await store().record(cursor, odder, NOON)).toEqual({ newEvents: 1, newFailures: 1 });
    });
  });

  describe('reading again', () => {
    it('is due from the time that was set, the longest overdue first', async () => {
      const cursor = await takeCursor(store());
      const sightings = [
        sighting({ eventKey: 'later', nextReadAt: at(9) }),
        sighting({ eventKey: 'second', eventId: null, nextReadAt: at(2) }),
        sighting({ eventKey: 'first', nextReadAt: at(1) }),
        sighting({ eventKey: 'never', nextReadAt: null }),
      ];
      await store().record(cursor, reading({ sightings }), NOON);
      expect(await store().dueSightings('production', at(5), 10)).toEqual([
        { eventKey: 'first', eventId: 'event-1', createdAt: NOON, reads: 1 },
        { eventKey: 'second', eventId: null, createdAt: NOON, reads: 1 },
      ]);
      expect(await store().dueSightings('production', at(5), 1)).toHaveLength(1);
      expect(await store().dueSightings('staging', at(5), 10)).toEqual([]);
    });

    it('counts how often an event was read and takes its new time', async () => {
      const cursor = await takeCursor(store());
      await store().record(cursor, reading({ sightings: [sighting({ nextReadAt: at(1) })] }), NOON);
      await store().record(cursor, reading({ sightings: [sighting({ nextReadAt: at(3) })] }), at(1));
      expect(await store().dueSightings('production', at(2), 10)).toEqual([]);
      expect(await store().dueSightings('production', at(3), 10)).toMatchObject([{ reads: 2 }]);
    });

    it('is put off, or ended, for events that could not be found', async () => {
      const cursor = await takeCursor(store());
      const due = ['a', 'b', 'c'].map((eventKey) => sighting({ eventKey, nextReadAt: NOON }));
      await store().record(cursor, reading({ sightings: due }), NOON);
      await store().postpone(cursor, ['a'], at(5));
      await store().postpone(cursor, ['b'], null);
      const keysAt = async (now: Date) =>
        (await store().dueSightings('production', now, 10)).map(({ eventKey }) => eventKey);
      expect(await keysAt(NOON)).toEqual(['c']);
      expect(await keysAt(at(1000))).toEqual(['c', 'a']);
    });
  });

  it('makes known the workflows of the events read, as they were seen last, the most recent first', async () => {
    const workflow = (identifier: string, name: string) => ({ id: null, identifier, name, variables: ['orderId'] });
    const cursor = await takeCursor(store());
    const seen = (minute: number, identifier: string, name: string) =>
      sighting({ eventKey: name, createdAt: at(minute), workflow: workflow(identifier, name) });
    const sightings = [seen(1, 'welcome', 'Welcome'), seen(3, 'order', 'Order, new'), seen(2, 'order', 'Order, old')];
    await store().record(cursor, reading({ sightings }), NOON);
    expect(await store().workflows('production')).toEqual([
      workflow('order', 'Order, new'),
      workflow('welcome', 'Welcome'),
    ]);
    await store().record(cursor, reading({ sightings: [seen(0, 'order', 'Order, older still')] }), NOON);
    expect(await store().workflows('production')).toMatchObject([{ name: 'Order, new' }, { name: 'Welcome' }]);
    expect(await store().workflows('staging')).toEqual([]);
  });
});
