import { expect, test } from 'vitest';
import { WATCHED_VERDICTS } from '../judging/verdict.ts';
import { at } from '../store/examples.testing.ts';
import { EVERYTHING, type Watch, type WatchSettings } from '../watches/settings.ts';
import { describeNight, drawn, lineOf } from './night.testing.ts';

const ORDERS = { ...EVERYTHING, workflows: ['order-shipped'] };
const WELCOME = { ...EVERYTHING, workflows: ['welcome'] };

describeNight('What a watch alerts to', (night) => {
  async function edits(watch: Watch, changes: Partial<WatchSettings>): Promise<void> {
    await night.edits(watch, changes);
    await night.announce();
  }

  test('a watch is told what fails after the clock was set back to before it was made', async () => {
    night.minutes = 60;
    await night.watch();
    night.minutes = 10;
    await night.poll(night.refused(0));
    night.minutes = 12;
    await night.poll(night.refused(1));
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('a failure that a filter covers once the rest of its event was delivered is alerted then', async () => {
    await night.watch({ filter: { ...EVERYTHING, verdicts: ['partly-failed'] } });
    for (const verdict of ['failed', 'partly-failed'] as const) await night.poll(night.refused(0, { verdict }));
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('what was recorded before a watch isn’t pending for it, also where others of its incident fail later', async () => {
    await night.poll(night.refused(0, { contexts: ['tenant:acme'] }));
    night.minutes = 1;
    await night.watch({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } });
    night.minutes = 2;
    await night.poll(night.refused(1, { contexts: ['tenant:globex'] }));
    expect(night.alerts()).toEqual([]);
  });

  test.each([
    { what: 'is alerted once it reaches it', added: 1, alert: 'new #1 3' },
    {
      what: 'keeps nothing else from being alerted',
      added: 3,
      changes: { channel: 'sms', provider: 'twilio' },
      alert: 'new #2 3',
    },
  ])('what stays below the threshold of a watch $what', async ({ added, changes = {}, alert }) => {
    await night.watch({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: null } });
    await night.poll(...night.many(2));
    expect(night.alerts()).toEqual([]);
    night.minutes = 2;
    await night.poll(...night.many(added, { ...changes, from: 2 }));
    expect(night.alerts()).toEqual([[alert]]);
  });

  test('what stayed below a threshold before it was lowered isn’t pending, and is alerted once it fails again', async () => {
    const watch = await night.watch({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: null } });
    await night.poll(...night.many(2));
    night.minutes = 1;
    await night.edits(watch, { threshold: null });
    await night.wait(1);
    expect(night.alerts()).toEqual([]);
    await night.poll(night.refused(2));
    expect(night.alerts()).toEqual([['new #1 3']]);
  });

  test('a filtered watch goes by what it covers, if that grows or becomes critical', async () => {
    const ours = { contexts: ['tenant:acme'] };
    await night.watch({ filter: { ...EVERYTHING, ...ours } });
    await night.poll(night.refused(0, ours));
    night.minutes = 1;
    await night.poll(...night.many(8, { ...ours, from: 1 }), ...night.many(9, { critical: true, from: 20 }));
    expect(night.alerts()).toHaveLength(1);
    night.minutes = 15;
    await night.poll(night.refused(9, ours));
    night.minutes = 30;
    await night.poll(night.refused(10, { ...ours, critical: true }));
    expect(night.alerts()).toEqual([['new #1 1'], ['every #1 10'], ['critical #1 11']]);
  });

  test.each(['contexts', 'tags', 'topics'] as const)('a filter of %s covers some of an incident', async (labels) => {
    await night.watch({ filter: { ...EVERYTHING, [labels]: ['acme'] } });
    await night.poll(night.refused(0, { [labels]: ['globex'] }));
    expect(night.alerts()).toEqual([]);
    night.minutes = 1;
    await night.poll(night.refused(1, { [labels]: ['acme'] }), night.refused(2, { [labels]: ['globex'] }));
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('when its part of an incident began stays as it was told, also in a later post, though an earlier failure is found', async () => {
    const ours = { contexts: ['tenant:acme'] };
    await night.watch({ filter: { ...EVERYTHING, ...ours } });
    await night.poll(night.refused(0));
    night.minutes = 10;
    await night.poll(night.refused(1, ours));
    night.minutes = 12;
    await night.poll(night.refused(2, { ...ours, occurredAt: at(5) }));
    expect((await drawn(night, 0)).rows).toMatchObject([{ incident: { failures: 2, beganAt: at(10) } }]);
    night.minutes = 30;
    await night.poll(...night.many(20, { ...ours, critical: true, from: 3 }));
    expect(night.digests()[1]?.rows).toMatchObject([{ incident: { failures: 22, beganAt: at(10) } }]);
  });

  test('a watch that asks for warnings only now doesn’t alert to earlier ones', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0, { verdict: 'warning' }));
    night.minutes = 1;
    await night.edits(watch, { filter: { ...EVERYTHING, verdicts: WATCHED_VERDICTS } });
    await night.wait(1);
    expect(night.alerts()).toEqual([]);
  });

  test.each([
    {
      change: 'narrowed: the first critical failure that it covers now notifies',
      filter: EVERYTHING,
      edited: ORDERS,
      failedFirst: 'welcome',
      alerts: [['critical #1 1']],
    },
    {
      change: 'widened: what others had failed before is no growth',
      filter: ORDERS,
      edited: EVERYTHING,
      failedFirst: 'order-shipped',
      alerts: [],
    },
  ])('what a watch alerted to is counted by its filter when that is $change', async (edit) => {
    const { filter, edited, failedFirst, alerts } = edit;
    const watch = await night.watch({ filter });
    await night.poll(night.refused(0, { workflow: failedFirst, critical: true }));
    night.minutes = 1;
    await night.poll(...night.many(40, { workflow: 'welcome', critical: true, from: 100 }));
    await edits(watch, { filter: edited });
    night.minutes = 20;
    await night.poll(night.refused(1, { critical: true }));
    expect(night.alerts().slice(1)).toEqual(alerts);
  });

  test.each([
    ['narrowed: nothing that was told is taken back', EVERYTHING, [WELCOME]],
    ['widened: what others failed shows, too', WELCOME, [EVERYTHING]],
    ['narrowed, and widened again', EVERYTHING, [WELCOME, EVERYTHING]],
    ['changed to what neither covers whole', ORDERS, [{ ...EVERYTHING, channels: ['email'] }]],
    ['changed to another', { ...EVERYTHING, workflows: ['welcome', 'order-shipped'] }, [ORDERS]],
  ])('what a message counts, and its lines, when its filter is %s', async (_, filter, edited) => {
    const watch = await night.watch({ filter });
    await night.poll(...night.many(5), night.refused(5, { workflow: 'welcome' }));
    for (const each of edited) await edits(watch, { filter: each });
    night.minutes = 2;
    await night.poll(night.refused(6, { workflow: 'welcome', critical: true }));
    const told = { failures: 7, beganAt: at(0) };
    expect((await drawn(night, 0)).rows[0]?.incident).toMatchObject(told);
    const lines = night.channel.posted.flatMap((content) => (content.kind === 'line' ? [content] : []));
    expect(lines.map(({ turns: [turn] }) => turn?.incident)).toMatchObject([told]);
  });

  const quiet = { from: 12 * 60 + 1, to: 13 * 60 };
  test.each([
    { watch: 'wants that', settings: { hasAllClear: true }, isBroadcast: true },
    { watch: "doesn't", settings: { hasAllClear: false }, isBroadcast: false },
    { watch: 'has a mute of it', settings: { hasAllClear: true }, muted: 1, isBroadcast: false },
    { watch: 'is muted', settings: { hasAllClear: true }, muted: null, isBroadcast: false },
    { watch: 'is in quiet hours', settings: { hasAllClear: true, quiet }, isBroadcast: false },
  ])(
    'a resolved incident is said in its thread, and in the channel if the watch wants that and is not held: one that $watch',
    async ({ settings, muted, isBroadcast }) => {
      const watch = await night.watch(settings);
      await night.poll(night.refused(0));
      await night.does(1, { what: 'acknowledged' });
      if (muted !== undefined) await night.mutes(watch, 60, muted);
      night.minutes = 1;
      await night.does(1, { what: 'resolved' }, 'U0BEN');
      await night.deliver();
      const replies = night.channel.posted.flatMap((content) => (content.kind === 'line' ? [content] : []));
      expect(replies.map((reply) => [lineOf(reply), reply.isBroadcast])).toEqual(
        expect.arrayContaining([
          ['acknowledged', false],
          ['resolved', isBroadcast],
        ]),
      );
      expect([...new Set(night.channel.threads)]).toEqual([null, '1.0']);
    },
  );
});
