import { expect, it } from 'vitest';
import { planDigest, type Untold } from '../domain/digest.ts';
import { groupOf } from '../domain/failure.ts';
import { at, failureOf, NOON, reading, recordFailures, takeCursor } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

const HOURS = 60;

describeStore('announcing', (store) => {
  const announce = (now: Date) => store().announce('production', (untold) => planDigest(untold, now), now);
  const untoldAt = async (now: Date): Promise<Untold[]> => {
    const asked: Untold[] = [];
    const onlyLook = (untold: Untold): null => {
      asked.push(untold);
      return null;
    };
    await store().announce('production', onlyLook, now);
    return asked;
  };
  const keyOf = (cause: string) => groupOf('production', failureOf(cause)).key;

  it('plans for each watch with its untold groups, the gravest first', async () => {
    await store().ensureWatch('C1', at(-1));
    await store().ensureWatch('C2', at(-1));
    await recordFailures(store(), NOON, [
      failureOf('minor', { severity: 'low' }),
      failureOf('grave', { critical: true }),
    ]);
    const groupKeys = [keyOf('grave'), keyOf('minor')];
    const untold = { groupKeys, counted: {}, lastDigestAt: null };
    expect(await untoldAt(NOON)).toEqual([untold, untold]);
  });

  it('tells a watch a group once, for as long as its announcement counts on', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    expect(await announce(NOON)).toHaveLength(1);
    await recordFailures(store(), at(23 * HOURS), [failureOf('a', { eventKey: 'event-2' })]);
    expect(await announce(at(23 * HOURS))).toEqual([]);
  });

  it('tells a group anew when it goes on after a day', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    await announce(NOON);
    await recordFailures(store(), at(24 * HOURS), [failureOf('a', { eventKey: 'event-2' })]);
    const [digestId = ''] = await announce(at(24 * HOURS));
    expect((await store().content(digestId)).rows).toMatchObject([
      { tally: { failures: 1, group: { key: keyOf('a') } } },
    ]);
  });

  it('tells both days of a group that could not be told for longer', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    await recordFailures(store(), at(25 * HOURS), [failureOf('a', { eventKey: 'event-2' })]);
    const [digestId = ''] = await announce(at(25 * HOURS));
    expect((await store().content(digestId)).rows).toHaveLength(2);
    expect(await announce(at(26 * HOURS))).toEqual([]);
  });

  it('tells a watch nothing that was recorded before it was made, but what goes on', async () => {
    await recordFailures(store(), NOON, [
      failureOf('over'),
      failureOf('going on'),
      failureOf('noise', { verdict: 'undeliverable' }),
    ]);
    await store().ensureWatch('C1', at(1));
    expect(await untoldAt(at(1))).toEqual([{ groupKeys: [], counted: {}, lastDigestAt: null }]);
    await recordFailures(store(), at(2), [failureOf('going on', { eventKey: 'event-2' })]);
    expect(await untoldAt(at(2))).toMatchObject([{ groupKeys: [keyOf('going on')] }]);
  });

  it('tells a first watch the hour before the start, and says that it is the first', async () => {
    await store().ensureWatch('C1', NOON);
    await recordFailures(store(), NOON, [failureOf('a')]);
    const [first = ''] = await announce(NOON);
    expect(await store().content(first)).toMatchObject({
      isFirst: true,
      covered: { from: at(-60), to: NOON },
      eventsRead: 1,
      failedEvents: 1,
    });
    await recordFailures(store(), at(1), [failureOf('b'), failureOf('b', { detailId: 'detail-2' })]);
    const [second = ''] = await announce(at(1));
    expect(await store().content(second)).toMatchObject({
      isFirst: false,
      covered: { from: NOON, to: at(1) },
      eventsRead: 1,
      failedEvents: 1,
    });
  });

  it('says what was read since the last digest, also what could not be read', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    await announce(NOON);
    const unreadable = [{ key: 'odd', createdAt: NOON }];
    await store().record(await takeCursor(store()), reading({ unreadable }), at(1));
    await recordFailures(store(), at(2), [failureOf('b')]);
    const [digestId = ''] = await announce(at(2));
    expect(await store().content(digestId)).toMatchObject({ eventsRead: 1, unreadable: 1 });
  });

  it('covers nothing of a gap', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    await announce(NOON);
    const afterGap = { from: at(90), to: at(100) };
    await store().record(
      await takeCursor(store()),
      reading({ failures: [failureOf('b')], completed: afterGap }),
      at(100),
    );
    const [digestId = ''] = await announce(at(100));
    expect((await store().content(digestId)).covered).toEqual(afterGap);
  });

  it('counts what is only counted since the last digest, and shows the groups behind it', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('no address', { verdict: 'undeliverable' })]);
    const [first = ''] = await announce(NOON);
    expect(await announce(at(59))).toEqual([]);
    await recordFailures(store(), at(59), [failureOf('condition', { verdict: 'skipped-by-design' }), failureOf('a')]);
    const [second = ''] = await announce(at(60));
    expect(await store().content(first)).toMatchObject({ counted: { undeliverable: 1 }, rows: [], failedEvents: 0 });
    expect(await store().content(second)).toMatchObject({ counted: { 'skipped-by-design': 1 }, failedEvents: 1 });
    expect(await store().digestCounted(first)).toMatchObject([{ group: { cause: { text: 'no address' } } }]);
    expect(await store().digestCounted(second)).toMatchObject([{ verdict: 'skipped-by-design', failures: 1 }]);
  });

  it('writes nothing where the plan is to wait', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    expect(await store().announce('production', () => null, NOON)).toEqual([]);
    expect(await store().claimDigest(NOON)).toBeNull();
    expect(await announce(NOON)).toHaveLength(1);
  });

  it('writes one digest when two replicas announce at once', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    const written = await Promise.all([announce(NOON), announce(NOON), announce(NOON)]);
    expect(written.flat()).toHaveLength(1);
  });

  it('keeps environments apart', async () => {
    await store().ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    await store().takeCursor('staging', NOON);
    expect(await store().announce('staging', (untold) => planDigest(untold, NOON), NOON)).toEqual([]);
  });
});
