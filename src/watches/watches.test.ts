import { describe, expect, test } from 'vitest';
import { AWAY, alertsIn, aNight, type Night } from '../alerts/night.testing.ts';
import { workflowsIn } from '../changes/workflows.ts';
import type { Failure } from '../judging/failure.ts';
import { InputError } from '../lib/errors.ts';
import { aWorkflow } from '../service/event.testing.ts';
import { at, checkedTo, failureOf, NOON, reading, record, trackedEvent } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchFilter } from './settings.ts';
import { aWatch } from './watch.testing.ts';
import { madeWatch, watchCtx } from './watches.testing.ts';
import {
  changeWatch,
  configureWatch,
  endWatch,
  MOST_WATCHES,
  makeWatch,
  numberedWatches,
  watchesIn,
  watchNumberIn,
  watchWithId,
} from './watches.ts';

const everyMinutes = (minutes: number) => ({ ...USUAL_SETTINGS, everyMs: minutes * 60_000 });

describeStore('the watch of the configured channel', (store) => {
  const configure = (channel: string | null, minute: number) =>
    configureWatch(watchCtx(store().db, at(minute)), channel);
  const all = () => watchesIn(store().db);

  test('is made once', async () => {
    await configure('C1', 0);
    const [made] = await all();
    await configure('C1', 60);
    expect(await all()).toEqual([made]);
  });

  test('moves to another channel with what waits, alerts there to what goes on, and leaves the old messages as they are', async () => {
    const night = await aNight(store());
    await configure('C1', -1);
    const [made] = await all();
    await night.poll(failureOf('a'), failureOf('over'));
    night.channel.answerPosts = () => AWAY;
    night.minutes = 1;
    await night.poll(failureOf('waits'));
    night.channel.answerPosts = () => null;
    await configure('C2', 2);
    expect(await all()).toEqual([{ ...made, channel: 'C2' }]);
    const edits = night.channel.edited.length;
    night.minutes = 34;
    await night.poll(failureOf('a', { eventKey: 'event-2', occurredAt: at(34) }));
    expect(night.digests().map(({ channel }) => channel)).toEqual(['C1', 'C2']);
    expect(night.digests().slice(1).flatMap(alertsIn).toSorted()).toEqual(['new #1 2', 'new #3 1']);
    expect(night.channel.edited.slice(edits)).toEqual([]);
  });

  test('ends with its variable, and by no person', async () => {
    await configure('C1', 0);
    const [made] = await all();
    const ending = endWatch(watchCtx(store().db, at(1)), made?.id ?? '', 'U0ANN');
    await expect(ending).rejects.toThrow('This watch comes from NOTIF_DIGEST_CHANNEL');
    await configure(null, 2);
    expect(await all()).toEqual([]);
  });
});

describeStore('a watch made by a person', (store) => {
  const wanted = { channel: 'C1', createdBy: 'UANN', settings: USUAL_SETTINGS };
  const make = () => madeWatch(store().db, wanted, NOON);
  const quieter = everyMinutes(15);

  test('is made once, however often it is requested at once', async () => {
    const newWatch = { channel: 'C1', actor: 'UANN', settings: USUAL_SETTINGS };
    await Promise.allSettled([1, 2, 3].map(() => makeWatch(watchCtx(store().db, NOON), newWatch)));
    expect(await watchesIn(store().db, 'C1')).toHaveLength(1);
  });

  test('has the usual value of a setting that it was stored without', async () => {
    await make();
    await store().db.write(`UPDATE watches SET settings = settings - 'hasThread' #- '{filter,tags}'`);
    expect(await watchesIn(store().db, 'C1')).toMatchObject([{ settings: USUAL_SETTINGS }]);
  });

  test('is refused if the channel has twenty by then, however many are requested at once', async () => {
    const makeEvery = (minutes: number) => madeWatch(store().db, { ...wanted, settings: everyMinutes(minutes) }, NOON);
    for (let minutes = 1; minutes < MOST_WATCHES; minutes += 1) await makeEvery(minutes);
    const made = await Promise.allSettled([makeEvery(100), makeEvery(200)]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(made).toContainEqual({ status: 'rejected', reason: expect.any(InputError) });
    expect(await watchesIn(store().db, 'C1')).toHaveLength(MOST_WATCHES);
  });

  test('is unchanged by its own settings, also after a double click', async () => {
    const { id } = await make();
    const change = { settings: quieter, actor: 'UBEN' };
    const saves = [1, 2].map(() => changeWatch(watchCtx(store().db, at(1)), id, change));
    expect((await Promise.all(saves)).filter((changed) => changed === null)).toHaveLength(1);
    expect((await watchWithId(store().db, id))?.settings).toEqual(quieter);
  });

  test("can't be changed to what another watch of its channel is", async () => {
    const first = await make();
    const { id } = await madeWatch(store().db, { ...wanted, settings: quieter }, at(1));
    const change = { settings: USUAL_SETTINGS, actor: 'UBEN' };
    await expect(changeWatch(watchCtx(store().db, at(2)), id, change)).rejects.toThrow('Watch 1 of this channel');
    await endWatch(watchCtx(store().db, at(3)), first.id, 'UANN');
    expect(await changeWatch(watchCtx(store().db, at(4)), id, change)).toMatchObject({ id });
  });
});

describeStore("a watch's number", (store) => {
  const make = (channel: string, minutes: number) =>
    madeWatch(store().db, { channel, createdBy: 'UANN', settings: everyMinutes(minutes) }, NOON);
  const numbers = async (channel: string) => (await watchesIn(store().db, channel)).map(({ number }) => number);

  test('is the next one of its channel, and no other watch there gets it', async () => {
    const made = [await make('C1', 1), await make('C1', 2), await make('C2', 1), await make('C1', 3)];
    expect(made.map(({ number }) => number)).toEqual([1, 2, 1, 3]);
    for (const index of [0, 3]) await endWatch(watchCtx(store().db, at(1)), made[index]?.id ?? '', 'UBEN');
    expect(await numbers('C1')).toEqual([2]);
    expect((await make('C1', 4)).number).toBe(4);
    const change = { settings: everyMinutes(5), actor: 'UANN' };
    expect(await changeWatch(watchCtx(store().db, at(2)), made[1]?.id ?? '', change)).toMatchObject({ number: 2 });
  });

  test('is a new one in the channel to which the configuration moves it', async () => {
    await configureWatch(watchCtx(store().db, NOON), 'C1');
    await make('C2', 1);
    await configureWatch(watchCtx(store().db, at(1)), 'C2');
    expect((await numbers('C2')).toSorted()).toEqual([1, 2]);
  });
});

test('the number of a watch after a command is a whole number, alone', () => {
  expect(watchNumberIn(['20'], '/notif unwatch')).toBe(20);
  for (const typed of ['0', '02', 'two', '#2', '1000000', '2 3'])
    expect(() => watchNumberIn(typed.split(' '), '/notif unwatch')).toThrow(
      expect.objectContaining({
        field: 'number',
        message: '/notif unwatch takes the number of a watch, as /notif watches shows it.',
        example: '/notif unwatch 2',
      }),
    );
});

describe('the watches that a number means', () => {
  const first = aWatch({ number: 1 });
  const third = aWatch({ number: 3 });

  test('are the one with it, or all without a number', () => {
    expect(numberedWatches(3, [first, third])).toEqual([third]);
    expect(numberedWatches(null, [first, third])).toEqual([first, third]);
  });

  test.for([
    [
      2,
      [first, third],
      { field: 'number', message: expect.stringMatching(/no watch 2\. .* An incident is written #2\.$/) },
    ],
    [2, [], { field: 'watch', message: 'This channel has no watch.', example: '/notif watch' }],
    [null, [], { field: 'watch', message: 'This channel has no watch.', example: '/notif watch' }],
  ] as const)('are at least one: %s', ([number, watches, error]) => {
    expect(() => numberedWatches(number, watches)).toThrow(expect.objectContaining(error));
  });
});

const WORKFLOW = { id: 'w1', identifier: 'order-shipped' };

describeStore('a watch for a workflow', (store) => {
  const filtered = (filter: Partial<WatchFilter>) => ({ filter: { ...EVERYTHING, ...filter } });
  const see = async (night: Night, name: string, failures: readonly Failure[] = []) => {
    night.minutes += 1;
    const workflow = aWorkflow({ ...WORKFLOW, name });
    const event = trackedEvent({ eventKey: name, createdAt: night.now(), workflow });
    await record(store(), 'production', reading({ trackedEvents: [event], failures }), night.now());
    await checkedTo(store(), night.now());
    await night.announce();
    await night.deliver();
  };

  test('that is renamed stays on it, by its former names, and one for its new name is about it from then on', async () => {
    const night = await aNight(store());
    for (const [channel, name] of Object.entries({ C1: 'order shipped', C2: 'Welcome', C3: 'parcel sent' }))
      await night.watch(filtered({ workflows: [name, 'Other'] }), channel);
    await see(night, 'Order shipped');
    await see(night, 'Order sent');
    const failed = (place: number, workflowName: string) => night.refused(place, { workflowName });
    await see(night, 'Order sent', [failed(1, 'Order sent')]);
    expect(night.digests().map(({ channel }) => channel)).toEqual(['C1']);
    await see(night, 'Parcel sent');
    expect(night.digests().map(({ channel }) => channel)).toEqual(['C1', 'C3']);
    night.minutes += 9;
    await see(night, 'Parcel sent', [failed(2, 'Parcel sent')]);
    expect(night.alerts()).toEqual([['new #1 1'], ['new #1 1']]);
  });

  test('whose earlier event is read late keeps its newest name', async () => {
    const night = await aNight(store());
    const watch = await night.watch(filtered({ workflows: ['Order shipped'] }));
    await see(night, 'Order sent');
    night.minutes = -5;
    await see(night, 'Order shipped');
    expect((await workflowsIn(store().db, 'production')).map(({ name }) => name)).toEqual(['Order sent']);
    expect((await watchWithId(store().db, watch.id))?.settings.filter.workflows).toEqual(['Order shipped']);
  });
});
