import { expect, it } from 'vitest';
import { planDigest } from '../domain/digest.ts';
import { groupOf } from '../domain/failure.ts';
import { digestNow } from './deliveries.testing.ts';
import { at, failureOf, NOON, recordFailures } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

describeStore('the watch of the configured channel', (store) => {
  const announce = (now: Date) => store().announce('production', (untold) => planDigest(untold, now), now);
  const channels = async () => (await store().watches()).map(({ channel }) => channel);
  const post = async (now: Date) => {
    const claimed = await store().claimMessage(now);
    if (claimed !== null) await store().notePosted(claimed.id, { ts: '1.1', fingerprint: 'f', failures: 1 }, now);
    return claimed?.channel;
  };

  it('is made once', async () => {
    await store().configureWatch('C1', NOON);
    const [made] = await store().watches();
    await store().configureWatch('C1', at(60));
    expect(await store().watches()).toEqual([made]);
  });

  it('takes what was not told yet along to another channel', async () => {
    await store().configureWatch('C1', NOON);
    await recordFailures(store(), at(1), [failureOf('a')]);
    await announce(at(1));
    await recordFailures(store(), at(2), [failureOf('b')]);
    await store().configureWatch('C2', at(3));
    expect(await channels()).toEqual(['C2']);
    expect(await post(at(3))).toBe('C2');
    expect(await announce(at(3))).toHaveLength(1);
  });

  it('announces a group that goes on anew in the other channel, and leaves the old message as it stands', async () => {
    await store().configureWatch('C1', NOON);
    await recordFailures(store(), at(1), [failureOf('a'), failureOf('over')]);
    await announce(at(1));
    await post(at(2));
    await store().configureWatch('C2', at(3));
    await recordFailures(store(), at(4), [failureOf('a', { eventKey: 'event-2' })]);
    const [digestId = ''] = await announce(at(4));
    const rows = (await digestNow(store(), digestId)).rows.map(({ tally }) => tally.group.key);
    expect(rows).toEqual([groupOf('production', failureOf('a')).key]);
    expect(await store().claimEdit(at(10))).toBeNull();
  });

  it('ends with its variable', async () => {
    await store().configureWatch('C1', NOON);
    await recordFailures(store(), at(1), [failureOf('a')]);
    await announce(at(1));
    await store().configureWatch(null, at(2));
    expect(await channels()).toEqual([]);
    expect(await store().claimMessage(at(3))).toBeNull();
  });
});
