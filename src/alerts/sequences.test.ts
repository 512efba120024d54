import { expect, test } from 'vitest';
import { noteTrouble } from '../polling/poll.ts';
import { at, reading, record } from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { ANN, AWAY, describeNight } from './night.testing.ts';

const TEN_MINUTES = 600_000;

describeNight('Nothing is lost', (night) => {
  test('of an escalation whose thread is locked: it is a post', async () => {
    await night.watch({ mention: ANN, escalateMs: TEN_MINUTES });
    await night.poll(night.refused(0, { critical: true }));
    night.channel.answerPosts = ({ kind }) =>
      kind === 'line' ? { is: 'no-thread', reason: 'restricted_action_thread_locked' } : null;
    for (night.minutes of [4, 8, 10, 11]) await night.poll(night.refused(night.minutes));
    expect(night.digests().map(({ rows, mention }) => [rows[0]?.reason, mention])).toEqual([
      ['new', ANN],
      ['escalated', ANN],
    ]);
  });

  test('of what quiet hours hold back by an edit of the filter and its undoing', async () => {
    const watch = await night.watch({ quiet: { from: 12 * 60, to: 12 * 60 + 30 } });
    night.minutes = 20;
    await night.poll(...night.many(5, { critical: true }));
    for (const filter of [{ ...EVERYTHING, workflows: ['welcome'] }, EVERYTHING]) {
      night.minutes += 1;
      await night.edits(watch, { filter });
      await night.announce();
    }
    night.minutes = 31;
    await night.poll();
    await night.wait(5);
    expect(night.alerts()).toEqual([['new #1 5']]);
  });

  test('of a flare-up in quiet hours by some calm minutes after it', async () => {
    await night.watch({ quiet: { from: 12 * 60 + 5, to: 12 * 60 + 30 } });
    await night.poll(...night.many(5));
    for (night.minutes of [2, 8]) {
      await night.succeed(400);
      await night.poll();
    }
    night.minutes = 20;
    await night.poll(...night.many(20, {}, 10));
    await night.wait(4);
    await night.wait(7);
    expect(night.alerts()).toHaveLength(2);
  });

  test('of a mention that quiet hours held back while another watch of the channel posted', async () => {
    await night.watch({ mention: ANN, quiet: { from: 12 * 60, to: 12 * 60 + 30 } });
    await night.watch({ filter: { ...EVERYTHING, channels: ['sms'] } });
    for (night.minutes of [1, 2, 15, 31]) {
      const trouble = { problem: { kind: 'key-refused', status: 401 }, pollMs: 60_000 } as const;
      await noteTrouble(night.store.db, 'production', trouble, night.now());
      await night.announce();
      await night.deliver();
    }
    expect(night.digests().map(({ mention }) => mention)).toEqual([null, ANN]);
  });

  test('of an outage that is over before Slack is back: it is told afterwards, without a mention', async () => {
    await night.watch({ mention: ANN });
    night.channel.answerPosts = () => AWAY;
    await night.poll(...night.many(20, { critical: true }));
    await night.recover();
    night.channel.answerPosts = () => null;
    await night.wait(6);
    const over = { mention: null, rows: [{ reason: 'new', incident: { state: { is: 'resolved' } } }] };
    expect(night.digests()).toMatchObject([over]);
  });
});

describeNight('A stray failure never swallows an outage', (night) => {
  test('of what was told among others as one: it rings when every attempt fails', async () => {
    await night.watch({ mention: ANN });
    await night.succeed(50);
    await night.poll(night.refused(0), night.refused(1, { provider: 'ses' }));
    night.minutes = 10;
    await night.poll(...night.many(24, {}, 10));
    expect(night.alerts().at(-1)).toEqual(['every #1 25']);
    expect(night.digests().at(-1)?.mention).toEqual(ANN);
  });

  test('of the seventeenth of many, which its digest only counted', async () => {
    await night.watch({ mention: ANN });
    await night.poll(
      ...Array.from({ length: 17 }, (_, place) => night.refused(place, { provider: `provider-${place}` })),
    );
    const shown = night.digests()[0]?.rows.map(({ incident }) => incident.provider);
    const counted = Array.from({ length: 17 }, (_, place) => `provider-${place}`).find(
      (name) => !shown?.includes(name),
    );
    night.minutes = 1;
    await night.poll(...night.many(6, { provider: counted ?? '' }, 100));
    expect(night.digests().map(({ mention }) => mention)).toEqual([ANN, ANN]);
  });

  test('in a watch of a workflow that always fails, within an incident of few others', async () => {
    await night.watch({ mention: ANN, filter: { ...EVERYTHING, workflows: ['rare'] } });
    await night.succeed(400);
    await night.poll(night.refused(0, { workflow: 'rare' }));
    night.minutes = 6;
    await night.succeed(400);
    await night.poll(...night.many(20, { workflow: 'rare' }, 10));
    expect(night.alerts()).toEqual([['new #1 1'], ['every #1 21']]);
  });

  test('in steps below ten times as many: each ten times the last post rings', async () => {
    await night.watch({ mention: ANN });
    let place = 0;
    for (const count of [1, 8, 64, 512]) {
      await night.succeed(20 * count);
      await night.poll(...night.many(count, {}, place));
      place += count;
      night.minutes += 13;
    }
    expect(night.alerts()).toEqual([['new #1 1'], ['grown #1 73']]);
  });

  test('the second time either, a day after the first was over', async () => {
    await night.watch({ mention: ANN });
    const day = 24 * 60;
    for (const [minutes, delivered] of [
      [0, 0],
      [day, 400],
      [day + 61, 400],
      [2 * day, 0],
    ] as const) {
      night.minutes = minutes;
      await night.succeed(delivered);
      await night.poll(...night.many(20, {}, minutes));
    }
    const rung = night.digests().filter(({ mention }) => mention !== null);
    expect(rung.map(({ rows }) => rows[0]?.reason)).toEqual(expect.arrayContaining(['new', 'every']));
  });
});

describeNight('Who looks at it already isn’t rung', (night) => {
  test.each([
    { after: 'it was just posted', minutes: 0.3, isAcknowledged: false, news: [] },
    { after: 'Ann acknowledged it, who is told directly', minutes: 10, isAcknowledged: true, news: ['critical'] },
  ])('by a critical workflow that joins, which is a line, after $after', async ({ minutes, isAcknowledged, news }) => {
    await night.watch({ mention: ANN });
    await night.succeed(100);
    await night.poll(...night.many(2));
    night.minutes = minutes;
    if (isAcknowledged) await night.does(1, { what: 'acknowledged' });
    night.minutes += 0.3;
    await night.poll(night.refused(5, { critical: true }));
    expect(night.alerts()).toHaveLength(1);
    expect(night.lines()).toContain('critical');
    expect(night.news()).toEqual(news);
  });

  test('and who has it learns that it fails again, in its thread and directly', async () => {
    await night.watch();
    await night.poll(...night.many(5));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    night.minutes = 2;
    await night.succeed(400);
    await night.poll();
    night.minutes = 4;
    await night.poll(...night.many(56, {}, 10));
    expect(night.lines()).toEqual(['assigned', 'failing-again']);
    expect(night.news()).toEqual(['assigned', 'failing-again']);
  });

  test('and learns when it failed again, though that was seen minutes later', async () => {
    await night.watch();
    await night.poll(...night.many(5));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    night.minutes = 2;
    await night.succeed(400);
    await night.poll();
    night.minutes = 8;
    await night.poll(...night.many(5, { occurredAt: at(4) }, 10));
    const news = night.channel.posted.flatMap((content) => (content.kind === 'personal' ? [content] : []));
    expect(news.at(-1)).toMatchObject({ news: { what: 'failing-again' }, at: at(4) });
  });

  test('nor told what isn’t so any more', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    await night.deliver();
    night.channel.answerPosts = ({ kind }) => (kind === 'personal' ? AWAY : null);
    await night.does(1, { what: 'resolved' });
    await night.deliver();
    night.minutes = 1;
    await night.poll(night.refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(3);
    expect(night.news()).toEqual(['assigned', 'back']);
  });
});

describeNight('When Slack is back', (night) => {
  test('what its edits failed to show is shown at once', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.channel.answerEdits = () => AWAY;
    for (night.minutes of [2, 3, 4]) await night.poll(night.refused(night.minutes));
    night.channel.answerEdits = () => null;
    night.minutes = 4.5;
    await record(night.store, 'production', reading({ failures: [night.refused(9)] }), night.now());
    await night.announce();
    await night.deliver();
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ rows: [{ incident: { failures: 5 } }] });
  });

  test('a post that Slack carries out after its incident was over is found, and edited', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    await night.poll(night.refused(0));
    await night.store.db.write('DELETE FROM failures');
    await night.store.db.write('UPDATE outbreaks SET failures = 0');
    night.channel.answerPosts = () => null;
    night.minutes = 1;
    await night.endLeases();
    await night.deliver();
    expect(night.channel.posted).toHaveLength(1);
    night.channel.search = { found: 'yes', ts: '7.0' };
    night.minutes = 12;
    await night.endLeases();
    await night.deliver();
    expect(night.channel.edited.map(({ ts }) => ts)).toEqual(['7.0']);
  });
});
