import { expect, test } from 'vitest';
import { aNight, toldIn } from '../digests/told.testing.ts';
import { InputError } from '../domain/errors.ts';
import { parseCommandText } from '../domain/input/filters.ts';
import { MOST_WATCHES, UNFILTERED } from '../domain/watches/watch.ts';
import { parseWatchSettings, settingsKey, type ZoneNaming } from '../domain/watches/watch-settings.ts';
import { at, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';

describeStore('the watch of the configured channel', (store) => {
  const channels = async () => (await store().watches.watches()).map(({ channel }) => channel);

  test('is made once', async () => {
    await store().watches.configureWatch('C1', NOON);
    const [made] = await store().watches.watches();
    await store().watches.configureWatch('C1', at(60));
    expect(await store().watches.watches()).toEqual([made]);
  });

  test('moves to another channel with what waits, tells there of what goes on, and leaves the old messages as they are', async () => {
    const night = await aNight(store());
    await store().watches.configureWatch('C1', at(-1));
    await night.poll(failureOf('a'), failureOf('over'));
    night.channel.answerPosts = () => ({ outcome: 'not-posted', reason: "Slack can't be reached", fix: null });
    night.minutes = 1;
    await night.poll(failureOf('waits'));
    night.channel.answerPosts = () => null;
    await store().watches.configureWatch('C2', at(2));
    expect(await channels()).toEqual(['C2']);
    const edits = night.channel.edited.length;
    night.minutes = 34;
    await night.poll(failureOf('a', { eventKey: 'event-2', occurredAt: at(34) }));
    expect(night.digests().map(({ channel }) => channel)).toEqual(['C1', 'C2']);
    expect(night.digests().slice(1).flatMap(toldIn).toSorted()).toEqual(['goes-on #1 2', 'new #3 1']);
    expect(night.channel.edited.slice(edits)).toEqual([]);
  });

  test('ends with its variable', async () => {
    const night = await aNight(store());
    await store().watches.configureWatch('C1', at(-1));
    await store().watches.configureWatch(null, at(0));
    expect(await channels()).toEqual([]);
    await night.poll(failureOf('a'));
    expect(night.digests()).toEqual([]);
  });
});

describeStore('a watch made by a person', (store) => {
  const wanted = { channel: 'C1', createdBy: 'UANN', settings: UNFILTERED };
  const make = () => store().watches.makeWatch(wanted, NOON);
  const quieter = { ...UNFILTERED, everyMs: 900_000 };

  test('is made once, however often it is requested at once', async () => {
    const made = await Promise.all([make(), make(), make()]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await store().watches.watches('C1')).toHaveLength(1);
  });

  test('is refused if the channel has twenty by then, however many are requested at once', async () => {
    const makeEvery = (minutes: number) =>
      store().watches.makeWatch({ ...wanted, settings: { ...UNFILTERED, everyMs: minutes * 60_000 } }, NOON);
    for (let minutes = 1; minutes < MOST_WATCHES; minutes += 1) await makeEvery(minutes);
    const made = await Promise.allSettled([makeEvery(100), makeEvery(200)]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(made).toContainEqual({ status: 'rejected', reason: expect.any(InputError) });
    expect(await store().watches.watches('C1')).toHaveLength(MOST_WATCHES);
  });

  test('can be changed while it is what it was when the change began', async () => {
    const { id } = await make();
    const was = settingsKey(UNFILTERED);
    const changed = await store().watches.changeWatch(id, { settings: quieter, was, by: 'UBEN' }, at(1));
    expect(changed).toMatchObject({ outcome: 'changed', watch: { id, settings: quieter } });
    const late = await store().watches.changeWatch(id, { settings: UNFILTERED, was, by: 'UANN' }, at(2));
    expect(late).toMatchObject({ outcome: 'meanwhile', by: 'UBEN', watch: { settings: quieter } });
    expect((await store().watches.watch(id))?.settings).toEqual(quieter);
  });

  test('is unchanged by its own settings, whatever it was when the change began', async () => {
    const { id } = await make();
    const change = { settings: quieter, was: settingsKey(UNFILTERED), by: 'UBEN' };
    const saves = [1, 2].map(() => store().watches.changeWatch(id, change, at(1)));
    const outcomes = (await Promise.all(saves)).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['changed', 'unchanged']);
    expect(await store().watches.changeWatch(id, { ...change, was: settingsKey(quieter) }, at(2))).toEqual({
      outcome: 'unchanged',
    });
  });

  test('is identical to one in another time zone that nobody named, and to one with its values in another order', async () => {
    const settings = { ...UNFILTERED, filter: { ...UNFILTERED.filter, channels: ['email', 'sms'] } };
    const turned = { ...settings, filter: { ...settings.filter, channels: ['sms', 'email'] } };
    const { id } = await store().watches.makeWatch({ ...wanted, settings }, NOON);
    const made = (zone: ZoneNaming) =>
      store().watches.makeWatch({ ...wanted, settings: { ...turned, timeZone: 'Asia/Tokyo' }, zone }, NOON);
    expect((await made('unsaid')).id).toBe(id);
    expect((await made('said')).id).not.toBe(id);
  });

  test("can't be changed to what another watch of its channel is", async () => {
    const first = await make();
    const { id } = await store().watches.makeWatch({ ...wanted, settings: quieter }, at(1));
    const change = { settings: UNFILTERED, was: settingsKey(quieter), by: 'UBEN' };
    expect(await store().watches.changeWatch(id, change, at(2))).toEqual({ outcome: 'there-already', number: 1 });
    await store().watches.endWatch(first.id, 'UANN', at(3));
    expect(await store().watches.changeWatch(id, change, at(4))).toMatchObject({ outcome: 'changed' });
  });

  test("is removed once, and can't be changed afterwards", async () => {
    const { id } = await make();
    expect([
      await store().watches.endWatch(id, 'UANN', at(1)),
      await store().watches.endWatch(id, 'UBEN', at(1)),
    ]).toEqual([true, false]);
    const change = { settings: quieter, was: settingsKey(UNFILTERED), by: 'UBEN' };
    expect(await store().watches.changeWatch(id, change, at(2))).toEqual({ outcome: 'ended' });
    expect(await store().watches.watches('C1')).toEqual([]);
  });

  test('keeps all its settings', async () => {
    const { email: _, ...filters } = parseCommandText(
      'workflow:a,"b c" subscriber:user-42 verdict:bounced min:5 rate:2.5% mention:<@U0ANN> quiet:22-7 summary:off',
    ).filters;
    const defaults = {
      environments: [],
      usualEnvironments: [],
      timeZone: 'Asia/Tokyo',
    };
    const settings = parseWatchSettings(filters, defaults);
    const { id } = await store().watches.makeWatch({ ...wanted, settings }, NOON);
    expect((await store().watches.watch(id))?.settings).toEqual(settings);
  });
});

describeStore("a watch's number", (store) => {
  const make = (channel: string, minutes: number) =>
    store().watches.makeWatch(
      { channel, createdBy: 'UANN', settings: { ...UNFILTERED, everyMs: minutes * 60_000 } },
      NOON,
    );
  const numbers = async (channel: string) => (await store().watches.watches(channel)).map(({ number }) => number);

  test('is the next one of its channel, and no other watch there gets it', async () => {
    const made = [await make('C1', 1), await make('C1', 2), await make('C2', 1), await make('C1', 3)];
    expect(made.map(({ number }) => number)).toEqual([1, 2, 1, 3]);
    for (const index of [0, 3]) await store().watches.endWatch(made[index]?.id ?? '', 'UBEN', at(1));
    expect(await numbers('C1')).toEqual([2]);
    expect((await make('C1', 4)).number).toBe(4);
    const settings = { ...UNFILTERED, everyMs: 5 * 60_000 };
    const change = { settings, was: settingsKey(made[1]?.settings ?? UNFILTERED), by: 'UANN' };
    expect(await store().watches.changeWatch(made[1]?.id ?? '', change, at(2))).toMatchObject({ watch: { number: 2 } });
  });

  test('is a new one in the channel to which the configuration moves it', async () => {
    await store().watches.configureWatch('C1', NOON);
    await make('C2', 1);
    await store().watches.configureWatch('C2', at(1));
    expect((await numbers('C2')).toSorted()).toEqual([1, 2]);
  });
});

describeStore('the known names', (store) => {
  test('are those of the events and failures read', async () => {
    await recordFailures(store(), at(1), [failureOf('a', { channel: 'sms' }), failureOf('b')]);
    const names = await store().polling.workflowNames('production');
    expect(names.toSorted()).toEqual(['Order shipped', 'order-shipped']);
    expect((await store().polling.channelNames()).toSorted()).toEqual(['email', 'sms']);
  });
});

describeStore('a channel', (store) => {
  test('has the time zone last named', async () => {
    const zones = () => Promise.all(['C1', 'C2'].map((channel) => store().watches.timeZoneOf(channel)));
    const inZone = (timeZone: string) => ({ ...UNFILTERED, timeZone });
    const made = { channel: 'C1', createdBy: 'UANN', settings: inZone('Asia/Tokyo') };
    const { id } = await store().watches.makeWatch({ ...made, zone: 'unsaid' }, NOON);
    expect(await zones()).toEqual([null, null]);
    await store().watches.makeWatch({ ...made, settings: inZone('Europe/Berlin') }, NOON);
    expect(await zones()).toEqual(['Europe/Berlin', null]);
    const was = settingsKey(made.settings);
    await store().watches.changeWatch(id, { settings: inZone('America/New_York'), was, by: 'UBEN' }, at(1));
    expect(await zones()).toEqual(['America/New_York', null]);
  });
});
