import { beforeEach, expect, test } from 'vitest';
import { aNight, drawn, type Night } from '../digests/told.testing.ts';
import { at, failureOf } from '../store/examples.testing.ts';
import { describeStore, silent } from '../store/store.testing.ts';
import { acknowledge, addNote, assign, resolve, unacknowledge } from './actions.ts';

describeStore('What people do about an incident', (store) => {
  let night: Night;
  let woken: number;
  beforeEach(async () => {
    night = await aNight(store());
    woken = 0;
    await night.watch();
    await night.poll(failureOf('a'));
  });
  const ctx = () => ({
    ...{ db: store().db, logger: silent, now: night.now },
    wakeDelivery: async () => {
      woken += 1;
    },
  });
  const target = () => ({ incidentId: 1, messageId: night.digests()[0]?.id ?? null });
  const trail = async () => {
    const { entries } = await store().audit.auditEntries({
      since: at(-1),
      environments: [],
      olderThan: null,
      limit: 20,
    });
    return entries
      .filter(({ change }) => change.action !== 'watch-made')
      .map(({ actor, channel, change }) => `${actor} ${change.action} in ${channel}`);
  };

  test('is done once, whoever repeats it, and recorded once with its channel', async () => {
    const outcomes = async (act: (by: string) => Promise<{ readonly is: string }>) =>
      (await Promise.all(['U0ANN', 'U0BEN'].map(act))).map(({ is }) => is).toSorted();
    expect(await outcomes((by) => acknowledge(ctx(), target(), by))).toEqual(['already', 'done']);
    expect(await outcomes((by) => assign(ctx(), target(), 'U0CAT', by))).toEqual(['already', 'done']);
    expect(await outcomes((by) => resolve(ctx(), target(), by))).toEqual(['done', 'resolved']);
    expect(woken).toBe(3);
    expect((await trail()).map((entry) => entry.replace(/^U0(ANN|BEN) /, ''))).toEqual([
      'resolved in C0ALERTS',
      'assigned in C0ALERTS',
      'acknowledged in C0ALERTS',
    ]);
  });

  test('is shown in its row at once', async () => {
    await acknowledge(ctx(), target(), 'U0ANN');
    await assign(ctx(), target(), 'U0BEN', 'U0ANN');
    await addNote(ctx(), target(), 'key rotated', 'U0ANN');
    expect((await drawn(night, 0)).rows[0]?.incident).toMatchObject({
      acknowledged: { by: 'U0ANN' },
      assigned: { to: 'U0BEN', by: 'U0ANN' },
      note: { by: 'U0ANN', text: 'key rotated' },
    });
    await night.deliver();
    expect(night.channel.edited.map(({ content }) => content.kind)).toContain('digest');
  });

  test('is not acknowledged any more only by whoever saw that acknowledgment', async () => {
    await acknowledge(ctx(), target(), 'U0ANN');
    expect(await unacknowledge(ctx(), target(), 'U0BEN', 'U0CAT')).toMatchObject({ is: 'another' });
    expect(await unacknowledge(ctx(), target(), 'U0ANN', 'U0CAT')).toMatchObject({ is: 'done' });
    expect(await unacknowledge(ctx(), target(), 'U0ANN', 'U0CAT')).toEqual({ is: 'already' });
    await night.deliver();
    const told = night.channel.posted.find(({ kind }) => kind === 'told');
    expect(told).toMatchObject({ channel: 'U0ANN', told: { told: 'unacknowledged', by: 'U0CAT' } });
  });

  test('tells whoever had it and whoever gets it, but nobody what they did themselves', async () => {
    await assign(ctx(), target(), 'U0BEN', 'U0ANN');
    night.minutes = 1;
    await assign(ctx(), target(), 'U0CAT', 'U0CAT');
    await night.deliver();
    const told = night.channel.posted.flatMap((content) => (content.kind === 'told' ? [content] : []));
    expect(told.map(({ channel, told: { told: what } }) => `${channel} ${what}`)).toEqual([
      'U0BEN assigned',
      'U0BEN taken',
    ]);
  });

  test('takes a note twice within a minute for a double click, and later for another note', async () => {
    const note = () => addNote(ctx(), target(), 'key rotated', 'U0ANN');
    expect((await note()).is).toBe('done');
    expect((await note()).is).toBe('done');
    night.minutes = 2;
    await note();
    expect(await trail()).toEqual(['U0ANN noted in C0ALERTS', 'U0ANN noted in C0ALERTS']);
  });

  test('can be a note and an assignment of one that is resolved, but no acknowledgment', async () => {
    await resolve(ctx(), target(), 'U0ANN');
    expect(await acknowledge(ctx(), target(), 'U0BEN')).toEqual({ is: 'resolved', by: 'U0ANN' });
    expect((await addNote(ctx(), target(), 'key is back', 'U0ANN')).is).toBe('done');
  });

  test('is nothing where nothing of it is kept, and is recorded nowhere', async () => {
    const gone = { incidentId: 99, messageId: null };
    for (const act of [acknowledge, resolve]) expect(await act(ctx(), gone, 'U0ANN')).toEqual({ is: 'forgotten' });
    expect(await addNote(ctx(), gone, 'x', 'U0ANN')).toEqual({ is: 'forgotten' });
    expect([woken, await trail()]).toEqual([0, []]);
  });
});
