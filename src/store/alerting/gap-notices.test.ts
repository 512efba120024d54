import { expect, test } from 'vitest';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../../domain/watches/watch.ts';
import { settingsKey } from '../../domain/watches/watch-settings.ts';
import { duePart, replacePart } from '../../polling/gaps.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { editAt } from '../deliveries/deliveries.testing.ts';
import { at, checkedTo, NOON, noteTrouble, openedEnvironment, stretch } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const DAYS = 24 * 60;

describeStore('gap notices', (store) => {
  const watching = (channel: string, settings: Partial<WatchSettings> = {}, made = at(-1)) =>
    store().watches.makeWatch({ channel, createdBy: 'U1', settings: { ...UNFILTERED, ...settings } }, made);
  const announce = (now: Date) =>
    announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
  const contents = async (now: Date) => {
    const ids = await announce(now);
    return Promise.all(ids.map((id) => store().deliveries.content(id, now)));
  };
  const tell = async (now: Date) => {
    const ids = await announce(now);
    while (await store().deliveries.claimMessage(now));
    for (const id of ids) await store().deliveries.notePosted(id, { ts: id, fingerprint: 'posted', failures: 0 }, now);
    return ids;
  };

  test('go once to each channel, by its oldest watch that covers the environment', async () => {
    const mention = { kind: 'person', id: 'U7' } as const;
    await watching('C1', { filter: { ...EVERYTHING, environments: ['staging'] } }, at(-3));
    await watching('C1', { mention }, at(-2));
    await watching('C1', {}, at(-1));
    await watching('C2');
    await checkedTo(store(), at(30), stretch(at(10), at(20)));
    const gap = { from: at(10), to: at(20), unchecked: [{ from: at(10), to: at(20) }] };
    const lastAlert = await contents(at(30));
    expect(lastAlert).toHaveLength(2);
    expect(lastAlert).toContainEqual(
      expect.objectContaining({ kind: 'gap', channel: 'C1', mention, gap: expect.objectContaining(gap) }),
    );
    expect(lastAlert).toContainEqual(expect.objectContaining({ kind: 'gap', channel: 'C2', mention: null }));
    expect(await announce(at(31))).toEqual([]);
  });

  test("go to the channel's next watch if the one that was to post it ended before", async () => {
    const first = await watching('C1', {}, at(-2));
    await watching('C1', { everyMs: 60_000 }, at(-1));
    await checkedTo(store(), at(30), stretch(at(10), at(20)));
    expect(await announce(at(30))).toHaveLength(1);
    await store().watches.endWatch(first.id, 'U1', at(31));
    expect(await tell(at(31))).toHaveLength(1);
    expect(await announce(at(32))).toEqual([]);
  });

  test('leave out gaps too short to report', async () => {
    await watching('C1');
    await checkedTo(store(), at(30), stretch(at(10), at(14)));
    expect(await announce(at(30))).toEqual([]);
  });

  test("begin while an environment can't be read, and update as the gap is read", async () => {
    await watching('C1');
    const cursor = await openedEnvironment(store());
    await noteTrouble(store(), cursor, { kind: 'unreachable' }, NOON);
    await noteTrouble(store(), cursor, { kind: 'unreachable' }, at(5));
    const [id = ''] = await tell(at(5));
    expect(await store().deliveries.content(id, at(5))).toMatchObject({ gap: { to: null, cause: 'unreachable' } });
    expect(await editAt(store(), at(7))).toBeNull();

    await checkedTo(store(), at(8));
    await announce(at(8));
    expect(await editAt(store(), at(8))).toBe(id);
    expect(await store().deliveries.content(id, at(8))).toMatchObject({ gap: { to: at(8), closedAt: at(8) } });
    await announce(at(9));
    expect(await editAt(store(), at(9))).toBeNull();
  });

  test('wait for the end of quiet hours or a whole-watch mute, and report what is closed by then', async () => {
    await watching('C-quiet', { quiet: { from: 11 * 60, to: 13 * 60 } });
    const muted = await watching('C-muted');
    await store().incidents.mute(muted.id, null, { by: 'U1', until: at(90) }, NOON);
    await checkedTo(store(), at(30), stretch(at(10), at(20), { parts: [] }));
    expect(await announce(at(59))).toEqual([]);
    expect(await contents(at(60))).toMatchObject([{ channel: 'C-quiet', gap: { closedAt: at(30) } }]);
    expect(await contents(at(90))).toMatchObject([{ channel: 'C-muted', gap: { closedAt: at(30) } }]);
  });

  test('mention nobody once their gap is closed, unless part of it stays unchecked', async () => {
    const mention = { kind: 'person', id: 'U7' } as const;
    await watching('C1', { mention, quiet: { from: 11 * 60, to: 13 * 60 } });
    await checkedTo(store(), at(30), stretch(at(10), at(20)));
    const [id = ''] = await announce(at(60));
    const content = () => store().deliveries.content(id, at(60));
    expect(await content()).toMatchObject({ gap: { closedAt: null }, mention });
    await store().executeSql('UPDATE gaps SET closed_at = $1', [at(60)]);
    await store().executeSql("UPDATE gaps SET unchecked = jsonb_set(unchecked, '{0,nextTryAt}', 'null')");
    expect(await content()).toMatchObject({ gap: { givenUp: [{ from: at(10), to: at(20) }] }, mention });
    await store().executeSql("UPDATE gaps SET unchecked = '[]'");
    expect(await content()).toMatchObject({ gap: { closedAt: at(60), givenUp: [] }, mention: null });
  });

  test('are not repeated after the retention while their gap is open, nor once it is closed', async () => {
    await watching('C1');
    await checkedTo(store(), at(30), stretch(at(10), at(20)));
    const [id = ''] = await tell(at(30));
    const later = at(31 * DAYS);
    await store().operation.prune(later, 30);
    expect(await announce(later)).toEqual([]);
    const part = await duePart(store().database, 'production', later);
    if (part === undefined) throw new Error('nothing is unchecked');
    await store().database.withTransaction((sql) => replacePart(sql, part, [], 'production', later));
    await store().operation.prune(later, 30);
    expect(await announce(later)).toEqual([]);
    expect(await editAt(store(), later)).toBe(id);
    expect(await store().deliveries.content(id, later)).toMatchObject({ gap: { closedAt: later } });
  });

  test('are posted in the channel to which the configuration moves their watch, while their gap is open', async () => {
    await store().watches.configureWatch('C1', at(-1));
    await checkedTo(store(), at(30), stretch(at(-40), at(-30), { parts: [] }), stretch(at(10), at(20)));
    expect(await tell(at(30))).toHaveLength(2);
    await store().watches.configureWatch('C2', at(31));
    expect(await announce(at(31))).toEqual([]);
    const claimed = await store().deliveries.claimMessage(at(31));
    expect(claimed).toMatchObject({ kind: 'gap', channel: 'C2', unresolvedSince: null });
    expect(await store().deliveries.content(claimed?.id ?? '', at(31))).toMatchObject({ gap: { from: at(10) } });
    expect(await store().deliveries.claimMessage(at(31))).toBeNull();
  });

  test('leave out gaps closed before the watch was made', async () => {
    await checkedTo(store(), at(30), stretch(at(10), at(20), { parts: [] }));
    await watching('C1', {}, at(31));
    expect(await announce(at(31))).toEqual([]);
  });

  test('leave out gaps closed before the watch covered their environment', async () => {
    const made = await watching('C1', { filter: { ...EVERYTHING, environments: ['staging'] } });
    await checkedTo(store(), at(30), stretch(at(10), at(20), { parts: [] }));
    const change = { settings: UNFILTERED, was: settingsKey(made.settings), by: 'U1' };
    await store().watches.changeWatch(made.id, change, at(40));
    expect(await announce(at(41))).toEqual([]);
  });

  test('are written once when several replicas announce at once', async () => {
    await watching('C1');
    await checkedTo(store(), at(30), stretch(at(10), at(20)));
    const written = await Promise.all([announce(at(30)), announce(at(30))]);
    expect(written.flat()).toHaveLength(1);
  });
});
