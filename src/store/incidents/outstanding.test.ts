import { expect, test } from 'vitest';
import { groupOf } from '../../domain/failures/failure.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { at, failureOf, NOON, recordFailures } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const NAMES = ['production'];

describeStore('the outstanding work', (store) => {
  const watchIn = (channel: string, everyMs = 0) =>
    store().watches.makeWatch({ channel, createdBy: 'U1', settings: { ...UNFILTERED, everyMs } }, NOON);
  const mute = (watchId: string, groupKey: string | null, until: Date) =>
    store().incidents.mute(watchId, groupKey, { by: 'U1', until }, at(1));

  test('counts open incidents by severity, critical ones as such', async () => {
    await recordFailures(store(), NOON, [
      failureOf('a', { severity: 'high' }),
      failureOf('a', { eventKey: 'low', severity: 'low' }),
      failureOf('b', { severity: 'low', critical: true }),
      failureOf('c', { severity: null }),
    ]);
    expect(await store().incidents.outstanding(NAMES, at(1))).toMatchObject({
      open: [
        { severity: 'critical', failing: 1, quiet: 0 },
        { severity: 'high', failing: 1, quiet: 0 },
        { severity: 'other', failing: 1, quiet: 0 },
      ],
    });
    expect(await store().incidents.outstanding(['staging'], at(1))).toMatchObject({ open: [] });
  });

  test('names the channels with muted watches until the first unmute, and counts each muted incident once', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    const [one, two] = [await watchIn('C1'), await watchIn('C1', 60_000)];
    const other = await watchIn('C2');
    await mute(one.id, null, at(60));
    await mute(two.id, groupOf('production', failureOf('a')).key, at(30));
    await mute(other.id, groupOf('production', failureOf('a')).key, at(30));
    await mute(other.id, null, at(20));
    expect(await store().incidents.outstanding(NAMES, at(2))).toMatchObject({
      mutes: [
        { channel: 'C2', muted: 1, watches: 1, until: at(20) },
        { channel: 'C1', muted: 1, watches: 2, until: at(60) },
      ],
      mutedIncidents: 1,
    });
    await store().watches.endWatch(other.id, 'U1', at(3));
    expect(await store().incidents.outstanding(NAMES, at(3))).toMatchObject({
      mutes: [{ channel: 'C1' }],
      mutedIncidents: 1,
    });
    await store().watches.endWatch(two.id, 'U1', at(4));
    expect(await store().incidents.outstanding(NAMES, at(4))).toMatchObject({
      mutes: [{ channel: 'C1', muted: 1, watches: 1 }],
      mutedIncidents: 0,
    });
    await store().watches.endWatch(one.id, 'U1', at(30));
    expect(await store().incidents.outstanding(NAMES, at(30))).toMatchObject({ mutes: [], mutedIncidents: 0 });
  });
});
