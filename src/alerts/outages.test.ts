import { expect, test } from 'vitest';
import { KEEPS_UP, type Lag } from '../coverage/lag.ts';
import { noteNotRunning, noteSlowness } from '../incidents/service-conditions.ts';
import { follow } from '../incidents/verbs.ts';
import { noteTrouble } from '../polling/poll.ts';
import { at, finishPresent, openedEnvironment } from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { watchCtx } from '../watches/watches.testing.ts';
import { endWatch } from '../watches/watches.ts';
import { announce } from './announce.ts';
import { ANN, describeNight } from './night.testing.ts';

const REFUSED = { kind: 'key-refused', status: 401 } as const;
const ONLY_SMS = { ...EVERYTHING, channels: ['sms'], workflows: ['order-shipped'] };

describeNight('A service that can’t be read', (night) => {
  test('is an incident from the second poll on, with a number that people act on', async () => {
    await night.watch({ mention: ANN });
    await fail(1);
    expect(night.alerts()).toEqual([]);
    await fail(2);
    const rows = [{ reason: 'new', incident: { id: 1, critical: true } }];
    expect(night.digests()).toMatchObject([{ mention: ANN, rows }]);
    expect(shown()).toMatchObject({ state: { is: 'firing' }, outage: { problem: REFUSED, uncheckedSince: at(0) } });
    await night.does(1, { what: 'acknowledged' });
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    await night.does(1, { what: 'noted', text: 'vault' });
    await fail(3);
    expect(shown()).toMatchObject({ acknowledged: { actor: 'U0ANN' }, assignedTo: 'U0BEN', note: { text: 'vault' } });
    expect(night.alerts()).toHaveLength(1);
  });

  test('recovers at once when it is read again, and is resolved ten minutes later with what was caught up on', async () => {
    await night.watch({ hasAllClear: true });
    for (const minute of [1, 2, 3]) await fail(minute);
    await answer(4);
    const gap = { beginsAt: at(0), endsAt: at(4), closedAt: at(4) };
    expect(shown()).toMatchObject({ state: { is: 'recovering', since: at(4) }, outage: { problem: null, gap } });
    await answer(14);
    expect(shown()).toMatchObject({ state: { is: 'resolved', at: at(14), actor: null } });
    expect(night.lines()).toEqual(['ended']);
    expect(night.channel.posted.at(-1)).toMatchObject({ kind: 'line', isBroadcast: true });
  });

  test('is one message for two minutes of each five, and a second one only after five calm minutes', async () => {
    await night.watch();
    for (const minute of [0, 5]) {
      for (const away of [1, 2]) await fail(minute + away);
      for (const back of [3, 4, 5]) await answer(minute + back);
    }
    expect(night.channel.posted.map(({ kind }) => kind)).toEqual(['digest']);
    for (const back of [10, 12]) await answer(back);
    for (const away of [15, 16]) await fail(away);
    expect(night.digests().map(({ rows }) => rows.map(({ reason }) => reason))).toEqual([['new'], ['again']]);
    // The newer post says so.
    expect(night.lines()).toEqual([]);
    expect(shown()).toMatchObject({ id: 1, state: { is: 'firing' }, outbreak: 1 });
  });

  test('begins when it was last read, also by a service whose clock is ahead', async () => {
    await night.watch();
    const read = { to: at(60), gaps: [], clockAheadMs: 60 * 60_000 };
    await finishPresent(night.store, await openedEnvironment(night.store), read, at(0));
    for (const minute of [1, 2]) await fail(minute);
    expect(shown()).toMatchObject({ beganAt: at(0), lastAt: at(2), outage: { uncheckedSince: at(0) } });
  });

  test('is alerted again after a day, and is another incident a day after its end', async () => {
    await night.watch();
    for (const minute of [1, 2, 24 * 60, 24 * 60 + 3]) await fail(minute);
    expect(night.alerts()).toEqual([['new #1 1'], ['goes-on #1 1']]);
    for (const minute of [24 * 60 + 4, 24 * 60 + 15, 50 * 60]) await answer(minute);
    for (const minute of [51 * 60, 51 * 60 + 1]) await fail(minute);
    expect(night.alerts().at(-1)).toEqual(['new #2 1']);
  });

  test('is alerted once a channel, also by watches with a filter or a threshold: by the one that mentions somebody and has no quiet hours', async () => {
    const threshold = { failures: 9, withinMs: 60_000, rate: 0.5 };
    await night.watch({ mention: ANN, quiet: { from: 12 * 60, to: 13 * 60 } });
    await night.watch({ filter: ONLY_SMS, threshold });
    await night.watch({ filter: ONLY_SMS, threshold, mention: ANN });
    await night.watch({ filter: { ...EVERYTHING, environments: ['staging'] } }, 'C0STAGING');
    for (const minute of [1, 2, 3]) await fail(minute);
    expect(night.digests()).toMatchObject([{ channel: 'C0ALERTS', mention: ANN }]);
  });

  test('is held back by quiet hours and by a mute, also if the watch is edited meanwhile, and alerted by a later watch', async () => {
    const quiet = { from: 12 * 60, to: 12 * 60 + 30 };
    const watch = await night.watch({ filter: ONLY_SMS, quiet });
    const muted = await night.watch({}, 'C0MUTED');
    await night.mutes(muted, 40);
    for (const minute of [1, 2]) await fail(minute);
    night.minutes = 20;
    await night.edits(watch, { filter: EVERYTHING });
    await night.watch({}, 'C0LATER');
    await fail(21);
    expect(night.digests().map(({ channel }) => channel)).toEqual(['C0LATER']);
    await answer(31);
    await answer(41);
    expect(night.digests().map(({ channel }) => channel)).toEqual(['C0LATER', 'C0ALERTS', 'C0MUTED']);
  });

  test('is told of each environment, and to followers, too, once it goes on after a person resolved it', async () => {
    await night.watch({ mention: ANN });
    const names = ['production', 'staging'];
    for (const name of names) await openedEnvironment(night.store, name);
    for (const minute of [1, 2]) for (const name of names) await fail(minute, name);
    expect(night.digests()).toMatchObject([{ mention: ANN }, { mention: ANN }]);
    await follow(night.ctx, { incidentId: 2 }, 'followed', 'U0BEN');
    for (const id of [1, 2]) await night.does(id, { what: 'resolved' });
    await night.announce('staging');
    for (const name of names) await fail(3, name);
    expect(night.alerts().slice(2)).toEqual([['back #1 1'], ['back #2 1']]);
    expect(night.news().toSorted()).toEqual(['back', 'ended', 'followed']);
  });

  test('that is over isn’t pending for a watch once the one that notified its channel ends', async () => {
    const first = await night.watch({ mention: ANN });
    await night.watch();
    for (const minute of [1, 2]) await fail(minute);
    for (const minute of [3, 14]) await answer(minute);
    await endWatch(watchCtx(night.store.db, at(14)), first.id, 'U0ANN');
    await answer(15);
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('is none while only some of what it has can’t be read', async () => {
    await night.watch({ mention: ANN });
    const windows = [{ from: at(2), to: at(8), tries: 9, nextTryAt: null }];
    const gap = { from: at(2), to: at(8), cause: 'service-error', windows } as const;
    await finishPresent(night.store, 'production', { to: at(10), gaps: [gap], clockAheadMs: null }, at(10));
    for (const minute of [11, 12]) await answer(minute);
    expect(night.channel.posted).toEqual([]);
  });

  async function fail(minute: number, environment = 'production'): Promise<void> {
    night.minutes = minute;
    await noteTrouble(night.store.db, environment, { problem: REFUSED, pollMs: 60_000 }, at(minute));
    await announce(night.ctx, environment);
    await night.deliver();
  }

  async function answer(minute: number): Promise<void> {
    night.minutes = minute;
    await night.poll();
  }

  /** The incident as the message shows it now. */
  function shown(place = 0) {
    const [posted, edits] = [night.digests()[place], night.channel.edited.map(({ content }) => content)];
    const newest = edits.findLast(({ id }) => id === posted?.id) ?? posted;
    return newest?.kind === 'digest' ? newest.rows[0]?.incident : undefined;
  }
});

describeNight('What keeps Notif from knowing', (night) => {
  const environment = { environment: 'production', clockAheadMs: null };

  test('is told once new events are checked ever later, and its end, with one number', async () => {
    await night.watch({ mention: ANN, hasAllClear: true });
    const lag = { lagMs: 12 * 60_000, lagAt: at(10), tooSlowSince: at(5) };
    const noteAt = async (minute: number, known: Lag) => {
      night.minutes = minute;
      await night.store.db.transaction((tx) => noteSlowness(tx, environment, known, at(minute)));
      await night.announce();
      await night.deliver();
    };
    for (const minute of [11, 12]) await noteAt(minute, lag);
    const slow = { kind: 'slow', beganAt: at(5), state: { is: 'firing' } };
    expect(night.digests()).toMatchObject([{ mention: ANN, rows: [{ incident: slow }] }]);
    await noteAt(14, { ...lag, tooSlowSince: null });
    await noteAt(15, KEEPS_UP);
    expect([night.alerts(), night.lines()]).toEqual([[['new #1 1']], ['ended']]);
  });

  test('is told afterwards, without a mention, where Notif itself did not run', async () => {
    await night.watch({ mention: ANN });
    night.minutes = 41;
    await night.store.db.transaction((tx) =>
      noteNotRunning(tx, environment, { from: at(0), to: at(40), gapId: 'gap' }, at(41)),
    );
    await night.announce();
    await night.deliver();
    const away = { kind: 'not-running', beganAt: at(0), lastAt: at(40), state: { is: 'resolved' } };
    expect(night.digests()).toMatchObject([{ mention: null, rows: [{ incident: away }] }]);
    expect(night.lines()).toEqual([]);
  });
});
