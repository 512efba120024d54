import { expect, test } from 'vitest';
import type { Failure } from '../judging/failure.ts';
import { at, reading, record } from '../store/examples.testing.ts';
import { EVERYTHING, type Watch, type WatchSettings } from '../watches/settings.ts';
import { watchCtx } from '../watches/watches.testing.ts';
import { endWatch } from '../watches/watches.ts';
import { ANN, AWAY, describeNight } from './night.testing.ts';

const ORDERS = { ...EVERYTHING, workflows: ['order-shipped'] };

describeNight('What is pending for a watch', (night) => {
  async function mentionsNobody(watch: Watch): Promise<void> {
    await night.edits(watch, { mention: null });
    await night.announce();
  }

  async function deletes(): Promise<void> {
    night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
    await night.deliver();
    night.channel.answerEdits = () => null;
  }

  test.each([
    { quiet: { from: 12 * 60, to: 12 * 60 + 30 }, muteEnds: 0, widenedAt: 10, endsAt: 31 },
    { quiet: null, muteEnds: 4 * 1_440, widenedAt: 3 * 1_440, endsAt: 4 * 1_440 + 1 },
  ])('what is held back is alerted in the end though the filter was widened meanwhile: %j', async (held) => {
    const { quiet, muteEnds, widenedAt, endsAt } = held;
    const filter = { ...EVERYTHING, channels: ['email'] };
    const watch = await night.watch({ filter, quiet });
    await night.mutes(watch, muteEnds);
    night.minutes = 1;
    await night.poll(night.refused(0));
    night.minutes = widenedAt;
    await night.edits(watch, { filter: { ...filter, channels: ['email', 'sms'] } });
    night.minutes = endsAt;
    await night.poll();
    expect(night.alerts()).toHaveLength(1);
  });

  test('what the pace holds back joins any message that notifies anyway', async () => {
    await night.watch({ everyMs: 24 * 60 * 60_000 });
    await night.poll(night.refused(0));
    night.minutes = 1;
    await night.poll(night.refused(1, { provider: 'ses' }));
    await night.does(1, { what: 'resolved' });
    expect(night.alerts()).toEqual([['new #1 1']]);
    night.minutes = 2;
    await night.poll(night.refused(2));
    expect(night.alerts()).toEqual([['new #1 1'], ['back #1 1', 'new #2 1']]);
  });

  let watch: Watch;

  async function relapseTwice(): Promise<void> {
    for (const place of [0, 1]) {
      await night.does(1, { what: 'resolved' });
      night.minutes += 1;
      await night.poll(night.refused(place, { provider: 'mailgun' }));
    }
  }

  async function muteAndUnmute(): Promise<void> {
    await night.mutes(watch, 60);
    night.minutes += 1;
    await night.poll(night.refused(0, { provider: 'ses' }));
    await night.mutes(watch, null);
  }

  const recordOnly = (...failures: Failure[]) => record(night.store, 'production', reading({ failures }), night.now());

  test.each([
    ['with them', () => night.poll()],
    ['since the watch was made', async () => {}],
  ])('what only the settings between two edits covered is alerted though no pass ran %s', async (_, first) => {
    const watch = await night.watch({ filter: { ...EVERYTHING, channels: ['sms'] } });
    await first();
    await night.edits(watch, { filter: EVERYTHING });
    night.minutes = 1;
    await recordOnly(night.refused(0));
    night.minutes = 2;
    // Back to what it was.
    await night.edits(watch, {});
    await night.edits(watch, { filter: { ...EVERYTHING, channels: ['push'] } });
    await night.wait(1);
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  type Held = [why: string, first: () => Promise<void>, settings?: Partial<WatchSettings>];
  test.each<Held>([
    ['its pace', () => night.poll(night.refused(0), night.refused(1, { provider: 'ses' })), { everyMs: 60 * 60_000 }],
    ['a relapse that waits', relapseTwice],
    ['a single that is gathered', () => night.poll(night.gone(0), { ...night.gone(1), provider: 'ses' })],
    ['a mute that has just ended', muteAndUnmute],
    ['a failure of the moment of the edit', () => recordOnly(night.refused(2, { provider: 'ses' }))],
  ])('what a watch holds back stays pending when it is edited: %s', async (_, first, settings = {}) => {
    const filter = { ...EVERYTHING, channels: ['email'] };
    watch = await night.watch({ filter, ...settings });
    await night.poll(night.refused(9, { provider: 'mailgun' }), { ...night.gone(8), provider: 'mailgun' });
    night.minutes = 1;
    await first();
    const before = night.alerts().length;
    const threshold = { failures: 2, withinMs: 60_000, rate: null };
    await night.edits(watch, { filter: EVERYTHING, threshold });
    await night.wait(61);
    expect(night.alerts().slice(before)).toHaveLength(1);
    await night.wait(61);
    expect(night.alerts().slice(before)).toHaveLength(1);
  });

  test.each<[string, (wide: Watch, narrow: Watch) => Promise<unknown>]>([
    ['it mentions nobody', (_, narrow) => mentionsNobody(narrow)],
    ['the message is deleted', () => deletes()],
    ['that one ends', (wide) => endWatch(watchCtx(night.store.db, night.now()), wide.id, 'U0ANN')],
  ])('what another watch notified its channel of isn’t pending for a watch once %s', async (_, leave) => {
    const wide = await night.watch({ mention: ANN });
    const narrow = await night.watch({ mention: ANN, filter: ORDERS });
    await night.poll(night.refused(0));
    await night.does(1, { what: 'resolved' });
    night.channel.answerPosts = ({ kind }) => (kind === 'digest' ? AWAY : null);
    await night.poll(night.refused(1, { provider: 'ses' }));
    await leave(wide, narrow);
    night.channel.answerPosts = () => null;
    await night.wait(1);
    expect(night.alerts()).toEqual([['new #1 1'], ['new #2 1']]);
  });

  test('what a mute held back is not alerted if it turns out retried, then fine', async () => {
    await night.mutes(await night.watch(), 10);
    await night.poll(night.refused(1));
    night.minutes = 3;
    await night.poll(night.refused(1, { verdict: 'retried-then-fine', occurredAt: at(0), eventCreatedAt: at(0) }));
    await night.wait(8);
    expect(night.alerts()).toEqual([]);
  });
});
