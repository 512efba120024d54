import { expect, test } from 'vitest';
import { groupOf } from '../../domain/failures/failure.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { at, checkedTo, failureOf, recordFailures } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const ALL = { offset: 0, limit: 10 };
const HERE = ['production'];

describeStore('open incidents', (store) => {
  test('are counted and shown, the critical and the largest first', async () => {
    await recordFailures(store(), at(0), [
      failureOf('one', { channel: 'push', eventKey: '1' }),
      failureOf('two', { channel: 'email', eventKey: '2' }),
      failureOf('two', { channel: 'email', eventKey: '3' }),
      failureOf('three', { channel: 'sms', eventKey: '4', critical: true }),
    ]);
    const { incidents, counts } = await store().incidents.openIncidents(HERE, ALL, at(1));
    expect(incidents.map(({ tally }) => [tally.group.channel, tally.failures])).toEqual([
      ['sms', 1],
      ['email', 2],
      ['push', 1],
    ]);
    expect(counts).toEqual([{ environment: 'production', failing: 3, quiet: 0 }]);
  });

  test('can be found by any of their groups', async () => {
    const failures = ['welcome', 'login'].map((workflow) => failureOf('one', { workflow, eventKey: workflow }));
    await recordFailures(store(), at(0), failures);
    const keys = failures.map((failure) => groupOf('production', failure).key);
    const incidents = await store().incidents.incidentsOf([...keys, 'unknown'], at(1));
    expect([...incidents.keys()].sort()).toEqual([...keys].sort());
    expect(new Set([...incidents.values()].map(({ episodeId }) => episodeId)).size).toBe(1);
    expect(await store().incidents.incidentsOf(keys, at(24 * 60 + 1))).toEqual(new Map());
  });

  test('are shown with their last episode, each with its own', async () => {
    for (const minute of [0, 90]) {
      await checkedTo(store(), at(minute - 1));
      await recordFailures(store(), at(minute), [
        failureOf('one', { eventKey: `one ${minute}`, occurredAt: at(minute) }),
        failureOf('two', { eventKey: `two ${minute}`, occurredAt: at(minute) }),
      ]);
    }
    const { incidents, counts } = await store().incidents.openIncidents(HERE, ALL, at(91));
    expect(incidents.map(({ tally }) => tally.firstSeen)).toEqual([at(90), at(90)]);
    expect(counts).toEqual([{ environment: 'production', failing: 2, quiet: 0 }]);
    const keys = incidents.map(({ tally }) => tally.group.key);
    const found = await store().incidents.incidentsOf(keys, at(91));
    expect(keys.map((key) => found.get(key)?.tally.group.key)).toEqual(keys);
  });

  test('are paged', async () => {
    const failures = Array.from({ length: 5 }, (_, index) =>
      failureOf('cause', { channel: `channel-${index}`, eventKey: `${index}` }),
    );
    await recordFailures(store(), at(0), failures);
    const pages = await Promise.all(
      [0, 2, 4].map((offset) => store().incidents.openIncidents(HERE, { offset, limit: 2 }, at(1))),
    );
    expect(pages.map(({ incidents }) => incidents.length)).toEqual([2, 2, 1]);
    const channels = pages.flatMap(({ incidents }) => incidents.map(({ tally }) => tally.group.channel));
    expect(new Set(channels).size).toBe(5);
  });

  test('are listed for a handover with those first that nobody has, however small, and their number', async () => {
    const sizes = { push: 3, email: 2, sms: 1 };
    const failures = Object.entries(sizes).flatMap(([channel, count]) =>
      Array.from({ length: count }, (_, n) => failureOf('cause', { channel, eventKey: `${channel}-${n}` })),
    );
    await recordFailures(store(), at(0), failures);
    const byOwner = async (limit: number) => {
      const { items, ...counts } = await store().incidents.openByOwner(HERE, limit, at(1));
      return { ...counts, channels: items.map(({ tally }) => tally.group.channel) };
    };
    expect(await byOwner(9)).toEqual({ channels: ['push', 'email', 'sms'], more: 0, unowned: 3 });
    const { incidents } = await store().incidents.openIncidents(HERE, ALL, at(1));
    const [push, email] = incidents.map(({ episodeId }) => ({ messageId: null, episodeId }));
    if (push === undefined || email === undefined) throw new Error('two incidents are open');
    await store().incidents.acknowledge(push, 'U0ANN', at(1));
    await store().incidents.assign(email, { to: 'U0BEN', by: 'U0ANN', at: at(1) });
    expect(await byOwner(2)).toEqual({ channels: ['sms', 'push'], more: 1, unowned: 1 });
    await store().incidents.unacknowledge(push, { of: 'U0ANN', by: 'U0ANN' }, at(2));
    expect(await byOwner(2)).toEqual({ channels: ['push', 'sms'], more: 1, unowned: 2 });
    expect(await store().incidents.openByOwner(['staging'], 9, at(1))).toEqual({ items: [], more: 0, unowned: 0 });
  });

  test('exclude incidents that are only counted or belong to an unconfigured environment', async () => {
    await recordFailures(store(), at(0), [
      failureOf('nobody', { verdict: 'undeliverable' }),
      failureOf('odd', { verdict: 'warning', eventKey: 'w' }),
    ]);
    expect(await store().incidents.openIncidents(HERE, ALL, at(1))).toEqual({ incidents: [], offset: 0, counts: [] });
    await recordFailures(store(), at(2), [failureOf('cause', {})]);
    expect((await store().incidents.openIncidents(['staging'], ALL, at(3))).incidents).toEqual([]);
  });

  test('end a day after their last failure', async () => {
    await recordFailures(store(), at(0), [failureOf('cause', {})]);
    expect((await store().incidents.openIncidents(HERE, ALL, at(24 * 60 - 1))).incidents).toHaveLength(1);
    expect((await store().incidents.openIncidents(HERE, ALL, at(24 * 60 + 1))).incidents).toEqual([]);
  });

  test('show how many watches have muted them', async () => {
    await recordFailures(store(), at(0), [failureOf('cause', {}), failureOf('cause', { eventKey: 'again' })]);
    const watches = await Promise.all(
      ['C1', 'C2'].map((channel) =>
        store().watches.makeWatch({ channel, createdBy: 'U1', settings: UNFILTERED }, at(0)),
      ),
    );
    const [incident] = (await store().incidents.openIncidents(HERE, ALL, at(1))).incidents;
    expect(incident?.mutedIn).toBe(0);
    for (const { id } of watches) {
      await store().incidents.mute(id, incident?.tally.group.key ?? '', { by: 'U1', until: at(30) }, at(1));
    }
    await recordFailures(store(), at(1), [failureOf('other', {})]);
    const mutedAt = async (minute: number) =>
      (await store().incidents.openIncidents(HERE, ALL, at(minute))).incidents.map(({ mutedIn }) => mutedIn);
    expect(await mutedAt(2)).toEqual([2, 0]);
    expect(await mutedAt(31)).toEqual([0, 0]);
  });

  test('show no mute of a removed watch', async () => {
    await recordFailures(store(), at(0), [failureOf('cause', {})]);
    const settings = UNFILTERED;
    const { id } = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U1', settings }, at(0));
    const key = groupOf('production', failureOf('cause', {})).key;
    await store().incidents.mute(id, key, { by: 'U1', until: at(30) }, at(1));
    await store().watches.endWatch(id, 'U1', at(2));
    expect((await store().incidents.openIncidents(HERE, ALL, at(3))).incidents.map(({ mutedIn }) => mutedIn)).toEqual([
      0,
    ]);
  });
});
