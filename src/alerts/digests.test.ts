import { expect, test } from 'vitest';
import type { Failure } from '../judging/failure.ts';
import { at, openedEnvironment, reading, record, reportDeploy } from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { watchCtx } from '../watches/watches.testing.ts';
import { endWatch } from '../watches/watches.ts';
import { ANN, AWAY, describeNight, drawn } from './night.testing.ts';

describeNight('Digests', (night) => {
  test('counts are edited at most once a minute', async () => {
    await night.watch();
    await night.succeed(100);
    await night.poll(night.refused(0));
    for (const second of [10, 20, 30, 40, 50]) {
      night.minutes = second / 60;
      await night.poll(night.refused(second));
    }
    expect(night.channel.edited).toEqual([]);
    night.minutes = 61 / 60;
    await night.poll(night.refused(61));
    expect(night.channel.edited).toHaveLength(1);
  });

  test('a newer message freezes the older row', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 15;
    await night.poll(...night.many(9, { from: 1 }));
    expect((await drawn(night, 0)).rows[0]?.isContinued).toBe(true);
    expect((await drawn(night, 1)).rows[0]).toMatchObject({ isContinued: false, olderTs: '1.0' });
    const edits = night.channel.edited.length;
    night.minutes = 17;
    await night.poll(...night.many(5, { from: 20 }));
    expect(night.channel.edited.slice(edits).map(({ ts }) => ts)).toEqual(['2.0']);
  });

  test.each([
    ['soon after it was posted', 1, []],
    ['once somebody has acknowledged it', 20, ['acknowledged']],
  ] as const)(
    'what gets worse %s is an edit and a line in the thread, once, and rings nobody',
    async (_, minutes, before) => {
      await night.watch({ mention: ANN });
      await night.poll(...night.many(2));
      if (before.length > 0) await night.does(1, { what: 'acknowledged' });
      night.minutes = minutes;
      await night.poll(...night.many(20, { from: 2 }));
      night.minutes += 1;
      await night.poll(...night.many(5, { critical: true, from: 40 }));
      await night.wait(1);
      await night.poll(...night.many(5, { critical: true, from: 50 }));
      expect(night.alerts()).toEqual([['new #1 2']]);
      expect(night.lines()).toEqual([...before, 'worse', 'critical']);
      expect((await drawn(night, 0)).rows[0]?.incident).toMatchObject({ failures: 32, critical: true });
    },
  );

  test('what fails again before it was resolved is an edit, and a line in the thread', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    for (const [minutes, expected] of [
      [9, ['failing-again']],
      [12, ['failing-again', 'failing-again']],
    ] as const) {
      await night.wait(6);
      night.minutes += minutes - 6;
      await night.poll(night.refused(night.minutes));
      expect([(await drawn(night, 0)).rows[0]?.incident.state.is, night.lines()]).toEqual(['firing', expected]);
    }
    expect(night.alerts()).toHaveLength(1);
  });

  test('what bounces late is no recovery between its bounces, whatever was delivered meanwhile, and posts nothing', async () => {
    await night.watch();
    const states = new Set();
    for (night.minutes = 0; night.minutes < 6; night.minutes += 0.5) {
      await night.succeed(100);
      const changes = { verdict: 'bounced', occurredAt: at(night.minutes - 0.3) } as const;
      await night.poll(...(night.minutes % 2 === 0 ? night.many(3, { ...changes, from: night.minutes * 10 }) : []));
      states.add((await drawn(night, 0)).rows[0]?.incident.state.is);
    }
    expect([[...states], night.lines()]).toEqual([['firing'], []]);
  });

  const mentions = () => night.digests().map(({ mention }) => mention);

  test('watches of one channel with the same mention alert to an incident once, by that which covers most; once that has ended, by another', async () => {
    const ours = { ...EVERYTHING, contexts: ['tenant:acme'] };
    await night.watch({ mention: ANN, filter: ours });
    const { id } = await night.watch({ mention: ANN });
    await night.watch({ mention: null });
    await night.watch({ mention: ANN }, 'C0OTHER');
    await night.poll(night.refused(0, { contexts: ['tenant:acme'] }));
    const channels = night.digests().map(({ channel }) => channel);
    expect(channels.toSorted()).toEqual(['C0ALERTS', 'C0OTHER']);
    // Nobody is pinged in two channels for one thing.
    expect(mentions().filter((mention) => mention !== null)).toHaveLength(1);
    await endWatch(watchCtx(night.store.db, at(0)), id, 'U0ANN');
    for (night.minutes of [30, 31]) await night.poll(night.refused(night.minutes, { contexts: ['tenant:acme'] }));
    expect(night.alerts().at(-1)).toEqual(['goes-on #1 3']);
  });

  test('a person whom another channel has rung within a minute is not pinged again, by name or in a user group', async () => {
    const ben = { kind: 'person', id: 'U0BEN' } as const;
    const oncall = { kind: 'user-group', id: 'S0ONCALL' } as const;
    for (const [place, mention] of [ANN, oncall, ben].entries()) {
      await night.watch({ mention }, `C${place}`);
      await night.poll(night.refused(place));
    }
    expect(mentions()).toEqual([ANN, { kind: 'people', ids: ['U0BEN'] }, null]);
    night.minutes = 2;
    await night.watch({ mention: oncall }, 'C0LATER');
    await night.poll(night.refused(3));
    expect(mentions().slice(3)).toEqual([oncall]);
  });

  test.each([
    ['has no thread', { hasThread: false }],
    ['is of a watch that is quiet now', { quiet: { from: 12 * 60 + 1, to: 13 * 60 } }],
  ])(
    'what gets critical notifies where its message %s, whatever another watch of the channel has',
    async (_, settings) => {
      await night.watch(settings);
      await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } });
      await night.poll(night.refused(0));
      night.minutes = 2;
      await night.poll(night.refused(1, { critical: true }));
      night.minutes = 16;
      await night.poll(night.refused(2));
      expect(night.alerts()).toEqual([['new #1 1'], ['critical #1 3']]);
    },
  );

  test('what one watch of a channel can’t post now is alerted by another', async () => {
    const quiet = { from: 12 * 60, to: 13 * 60 };
    await night.watch({ quiet });
    await night.watch();
    await night.poll(night.refused(0));
    await night.wait(61);
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('a message shows the ten of its incidents that matter most, what goes on elsewhere last, and counts the rest', async () => {
    await night.watch();
    const from = (provider: string, first: number, count = 1, changes: Partial<Failure> = {}) =>
      night.many(count, { provider, ...changes, from: first });
    const others = [...'abcdefgh'].flatMap((provider, place) => from(provider, place));
    const critical = from('critical', 30, 1, { critical: true });
    await night.poll(...others, ...from('often', 20, 2), ...critical, ...from('grows', 40, 3));
    const shown = async () => {
      const { rows, counted } = await drawn(night, 0);
      return [rows, counted].map((each) => each.map(({ incident: { provider } }) => provider));
    };
    expect(await shown()).toEqual([['critical', 'grows', 'often', ...'abcdefg'], ['h']]);
    night.minutes = 15;
    await night.poll(...from('grows', 50, 30));
    expect(await shown()).toEqual([['critical', 'often', ...'abcdefgh'], ['grows']]);
  });

  test("a single recipient's trouble is gathered quietly, and alerted once", async () => {
    await night.watch({ mention: ANN });
    await night.poll(night.gone(0));
    expect(night.alerts()).toEqual([['single #1']]);
    expect(night.digests()[0]?.mention).toBeNull();
    night.minutes = 1;
    await night.poll({ ...night.gone(0), eventKey: 'again' }, { ...night.gone(5), provider: 'ses' });
    expect(night.alerts()).toHaveLength(1);
    await night.wait(16);
    expect(night.alerts().flat()).toContain('single #2');
    expect(night.alerts().filter((words) => words.includes('single #1'))).toHaveLength(1);
  });

  const KINDS = [
    { what: "a recipient's own trouble", fails: 'gone' },
    { what: 'a new incident', fails: 'refused' },
  ] as const;

  test.each(KINDS)(
    '$what that the pace holds back is posted with what gets critical before that is over',
    async ({ fails }) => {
      await night.watch({ everyMs: 15 * 60_000 });
      await night.poll(night.refused(0));
      night.minutes = 5;
      await night.poll({ ...night[fails](1), provider: 'ses' });
      night.minutes = 10;
      await night.poll(night.refused(2, { critical: true }));
      expect(night.alerts().map((alerts) => alerts.length)).toEqual([1, 2]);
      await night.wait(5);
      expect(night.digests()).toHaveLength(2);
    },
  );

  test.each(KINDS)('$what in one environment waits for no alert of another', async ({ fails }) => {
    await night.watch({ everyMs: 60 * 60_000 });
    const environment = await openedEnvironment(night.store, 'staging');
    await record(night.store, environment, reading({ failures: [night[fails](0)] }), night.now());
    await night.poll(night[fails](0));
    await night.announce(environment);
    await night.deliver();
    expect(night.digests().map((digest) => digest.environment)).toEqual(['production', 'staging']);
  });

  test("the trouble of a tenth of all attempts notifies, also if the service's clock is behind", async () => {
    await night.watch();
    await night.succeed(18);
    const failures = [night.gone(0), night.gone(1)];
    night.minutes = 6;
    await record(night.store, 'production', reading({ failures }), night.now());
    await night.store.db.write('UPDATE environments SET clock_ahead_ms = $1', [-6 * 60_000]);
    await night.announce();
    await night.deliver();
    expect(night.alerts()).toEqual([['new #1 2']]);
  });

  test('the trouble of a third person is an incident, whatever the pace, also in the message that was to gather the first', async () => {
    await night.watch({ everyMs: 60 * 60_000, mention: ANN });
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.gone(0));
    night.channel.answerPosts = () => null;
    night.minutes = 1;
    await record(night.store, 'production', reading({ failures: [night.gone(1), night.gone(2)] }), night.now());
    await night.deliver();
    await night.poll({ ...night.gone(5), provider: 'ses' });
    await night.wait(15);
    expect(night.alerts()).toEqual([['new #1 3'], ['single #2']]);
    expect(night.digests()).toMatchObject([{ mention: ANN }, { mention: null }]);
  });

  test('what a deleted message had counts as seen, and is posted again if it goes on', async () => {
    await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } });
    await night.poll(night.refused(0));
    night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
    night.minutes = 2;
    await night.poll(...night.many(4, { from: 1 }));
    night.channel.answerEdits = () => null;
    await night.wait(31);
    expect(night.alerts()).toHaveLength(1);
    night.minutes = 34;
    await night.succeed(100);
    await night.poll(...night.many(3, { from: 9 }));
    expect(night.alerts()).toEqual([['new #1 1'], ['goes-on #1 8']]);
  });

  test('a deploy that is reported late is shown in the row that it may explain', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await reportDeploy(night.store, { environment: 'production', name: 'api 2', actor: null }, night.now());
    await night.announce();
    await night.deliver();
    const row = night.channel.edited.map(({ content }) => (content.kind === 'digest' ? content.rows[0] : null)).at(-1);
    expect(row?.incident.changedBefore).toMatchObject([{ what: { kind: 'deploy', name: 'api 2' } }]);
  });

  test('a share is of the current outbreak: what was delivered in the calm before it is no part of it', async () => {
    await night.watch();
    await night.poll(...night.many(2));
    night.minutes = 2;
    await night.succeed(500);
    await night.poll();
    night.minutes = 3.5;
    await night.poll(...night.many(4, { from: 2 }));
    expect((await drawn(night, 0)).rows[0]?.incident.attempts).toEqual({ since: at(3.5), failed: 4, tried: 4 });
    night.minutes = 4.25;
    await night.succeed(1);
    await night.poll(...night.many(1, { from: 6 }));
    expect((await drawn(night, 0)).rows[0]?.incident.attempts).toEqual({ since: at(3.5), failed: 5, tried: 6 });
  });

  test('deliveries of the minute in which an incident started count, unless all of them came before', async () => {
    await night.watch();
    await night.succeed(20);
    night.minutes = 0.5;
    await night.poll(...night.many(5));
    expect(night.digests()[0]?.rows[0]?.incident.attempts).toMatchObject({ failed: 5, tried: 5 });
    night.minutes = 0.75;
    await night.succeed(10);
    expect((await drawn(night, 0)).rows[0]?.incident.attempts).toMatchObject({ failed: 5, tried: 35 });
  });
});
