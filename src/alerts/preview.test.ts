import { beforeEach, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { at, failureOf, openedEnvironment } from '../store/examples.testing.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchSettings } from '../watches/settings.ts';
import { describeNight } from './night.testing.ts';
import { previewWatch } from './preview.ts';
import { happenedTo, messagesOf } from './preview-messages.ts';

describeNight('The preview of a watch', (night, store) => {
  beforeEach(async () => {
    const sms = { channel: 'sms', provider: 'twilio' };
    await night.poll(failureOf('a'), failureOf('b', { ...sms, contexts: ['tenant:acme'] }));
    night.minutes = 5;
    const later = { occurredAt: at(5), eventCreatedAt: at(5) };
    await night.poll(
      failureOf('b', { ...sms, ...later, eventKey: 'event-2' }),
      failureOf('c', { verdict: 'warning', ...later }),
    );
  });
  const previewed = async (settings: Partial<WatchSettings> = {}, minutes = 10) => {
    const ctx = { db: store().db, environments: [anEnvironment()], retentionDays: 30, now: () => at(minutes) };
    const { incidents, belowThreshold, range } = await previewWatch(ctx, { ...USUAL_SETTINGS, ...settings });
    const words = (some: typeof incidents) => some.map(({ cause, failures }) => `${cause} ${failures}`).toSorted();
    return { alerted: words(incidents), belowThreshold, range };
  };

  test('has what it would have alerted to, since the environment was first read', async () => {
    const range = { from: at(-60), to: at(10) };
    expect(await previewed()).toEqual({ alerted: ['a 1', 'b 2'], belowThreshold: 0, range });
  });

  test('is about the environments that were read', async () => {
    await openedEnvironment(store(), 'staging', at(-120));
    const environments = ['staging', 'production'].map((name) => anEnvironment({ name }));
    const ctx = { db: store().db, environments, retentionDays: 30, now: () => at(10) };
    const preview = { range: { from: at(-60) }, incidents: { length: 2 } };
    expect(await previewWatch(ctx, USUAL_SETTINGS)).toMatchObject(preview);
  });

  test('names a cause by its headline, where it is explained', async () => {
    await night.poll(night.gone(7));
    expect((await previewed()).alerted).toContainEqual(expect.stringMatching(/^mailbox doesn't exist .* 1$/));
  });

  test('counts only what the filter covers', async () => {
    expect((await previewed({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } })).alerted).toEqual(['b 1']);
    expect((await previewed({ filter: { ...EVERYTHING, verdicts: ['warning'] } })).alerted).toEqual(['c 1']);
    expect((await previewed({ filter: { ...EVERYTHING, environments: ['staging'] } })).alerted).toEqual([]);
  });

  test('says when it would have posted, what joins, what quiet hours hold back, and whether it would have rung', async () => {
    const messages = async (settings: Partial<WatchSettings>) => {
      const ctx = { db: store().db, environments: [anEnvironment()], retentionDays: 30, now: () => at(60) };
      return (await previewWatch(ctx, { ...USUAL_SETTINGS, ...settings })).messages;
    };
    night.minutes = 20;
    await night.poll(failureOf('d', { occurredAt: at(20), eventCreatedAt: at(20), critical: true }));
    expect(await messages({})).toMatchObject([
      { at: at(0), rings: true, incidents: [1, 2] },
      { at: at(20), rings: true, incidents: [4] },
    ]);
    const quiet = { from: 12 * 60 + 10, to: 12 * 60 + 50 };
    expect(await messages({ quiet })).toMatchObject([{ at: at(0) }, { at: at(50), rings: true, incidents: [4] }]);
    night.minutes = 30;
    await night.does(4, { what: 'acknowledged' });
    expect(await messages({ quiet })).toMatchObject([{ at: at(0) }, { at: at(50), rings: false, incidents: [4] }]);
  });

  test('rings for nobody what was over before its quiet hours were', async () => {
    night.minutes = 20;
    await night.does(1, { what: 'resolved' });
    const messages = messagesOf(await happenedTo(store().db, [1], { from: at(-10), to: at(60) }), {
      ...USUAL_SETTINGS,
      quiet: { from: 11 * 60, to: 12 * 60 + 50 },
    });
    expect(messages).toMatchObject([{ at: at(50), rings: false, incidents: [1] }]);
  });

  test('rings for nobody what somebody has had since before its range', async () => {
    await night.does(1, { what: 'acknowledged' });
    night.minutes = 20;
    await night.poll(
      failureOf('a', { occurredAt: at(20), eventCreatedAt: at(20), eventKey: 'event-3', critical: true }),
    );
    const messages = async () =>
      messagesOf(await happenedTo(store().db, [1], { from: at(10), to: at(60) }), USUAL_SETTINGS);
    expect(await messages()).toEqual([]);
    night.minutes = 25;
    await night.does(1, { what: 'unacknowledged' });
    night.minutes = 30;
    await night.poll(...night.many(5, { cause: failureOf('a').cause, from: 5 }));
    expect(await messages()).toMatchObject([{ rings: true, incidents: [1] }]);
  });

  test('leaves out what turned out to be fine', async () => {
    const sms = { channel: 'sms', provider: 'twilio' };
    await night.poll(failureOf('b', { ...sms, verdict: 'retried-then-fine', eventKey: 'event-2' }));
    expect((await previewed()).alerted).toEqual(['a 1', 'b 1']);
  });

  test('separates what stays below the threshold', async () => {
    const threshold = { failures: 2, withinMs: 10 * 60_000, rate: null };
    expect(await previewed({ threshold })).toMatchObject({ alerted: ['b 2'], belowThreshold: 1 });
  });

  test('goes back a week at most', async () => {
    expect((await previewed({}, 8 * 24 * 60)).alerted).toEqual([]);
  });
});
