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
    await night.poll(...night.many(20, { from: 10 }));
    await night.wait(4);
    await night.wait(7);
    expect(night.alerts()).toEqual([['new #1 5'], ['missed #1 25']]);
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

describeNight('An outage in an incident that is known', (night) => {
  test('rings by failing every attempt, though its first failure was posted already, beside another incident', async () => {
    await night.watch({ mention: ANN });
    await night.succeed(50);
    await night.poll(night.refused(0), night.refused(1, { provider: 'ses' }));
    night.minutes = 10;
    await night.poll(...night.many(24, { from: 10 }));
    expect(night.alerts()).toEqual([['new #1 1', 'new #2 1'], ['every #1 25']]);
    expect(night.digests().at(-1)?.mention).toEqual(ANN);
  });

  test('rings though a digest of many only counted its incident, without a row', async () => {
    await night.watch({ mention: ANN });
    const providers = Array.from({ length: 17 }, (_, place) => `provider-${place}`);
    await night.poll(...providers.map((provider, place) => night.refused(place, { provider })));
    const shown = night.digests()[0]?.rows.map(({ incident }) => incident.provider);
    const [counted = ''] = providers.filter((provider) => !shown?.includes(provider));
    night.minutes = 1;
    await night.poll(...night.many(6, { provider: counted, from: 100 }));
    expect(night.digests()).toMatchObject([
      { mention: ANN },
      { mention: ANN, rows: [{ reason: 'every', incident: { provider: counted } }] },
    ]);
  });

  test('rings in a watch of the workflow that always fails, though those outside the watch are delivered', async () => {
    await night.watch({ mention: ANN, filter: { ...EVERYTHING, workflows: ['rare'] } });
    await night.succeed(400);
    await night.poll(night.refused(0, { workflow: 'rare' }));
    night.minutes = 6;
    await night.succeed(400);
    await night.poll(...night.many(20, { workflow: 'rare', from: 10 }));
    expect(night.alerts()).toEqual([['new #1 1'], ['every #1 21']]);
  });

  test('rings at ten times the failures of its last post, though each step there is smaller', async () => {
    await night.watch({ mention: ANN });
    let place = 0;
    for (const count of [1, 8, 64, 512]) {
      await night.succeed(20 * count);
      await night.poll(...night.many(count, { from: place }));
      place += count;
      night.minutes += 13;
    }
    expect(night.alerts()).toEqual([['new #1 1'], ['grown #1 73']]);
  });

  test('rings by failing every attempt again, a day after most were delivered', async () => {
    await night.watch({ mention: ANN });
    const day = 24 * 60;
    for (const { minutes, delivered } of [
      { minutes: 0, delivered: 0 },
      { minutes: day, delivered: 400 },
      { minutes: day + 61, delivered: 400 },
      { minutes: 2 * day, delivered: 0 },
    ]) {
      night.minutes = minutes;
      await night.succeed(delivered);
      await night.poll(...night.many(20, { from: minutes }));
    }
    expect(night.alerts()).toEqual([['new #1 20'], ['goes-on #1 40'], ['every #1 80']]);
    expect(night.digests().map(({ mention }) => mention)).toEqual([ANN, ANN, ANN]);
  });
});

describeNight('Who looks at an incident already', (night) => {
  test.each([
    { after: 'it was just posted', minutes: 0.3, isAcknowledged: false, lines: ['critical'], news: [] },
    {
      after: 'Ann acknowledged it, who is told directly',
      minutes: 10,
      isAcknowledged: true,
      lines: ['acknowledged', 'critical'],
      news: ['critical'],
    },
  ])(
    'isn’t rung for a critical workflow that joins, which is a line, after $after',
    async ({ minutes, isAcknowledged, lines, news }) => {
      await night.watch({ mention: ANN });
      await night.succeed(100);
      await night.poll(...night.many(2));
      night.minutes = minutes;
      if (isAcknowledged) await night.does(1, { what: 'acknowledged' });
      night.minutes += 0.3;
      await night.poll(night.refused(5, { critical: true }));
      expect(night.alerts()).toHaveLength(1);
      expect(night.lines()).toEqual(lines);
      expect(night.news()).toEqual(news);
    },
  );
});

describeNight('The assignee of an incident', (night) => {
  test('learns that it fails again, and what gets critical by that, in its thread and by a single message', async () => {
    await night.watch();
    await night.poll(...night.many(5));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    night.minutes = 2;
    await night.succeed(400);
    await night.poll();
    night.minutes = 4;
    await night.poll(...night.many(56, { from: 10 }), night.refused(99, { critical: true }));
    expect(night.lines()).toEqual(['assigned', 'failing-again', 'critical']);
    expect(night.news()).toEqual(['assigned', 'failing-again']);
  });

  test('learns when it failed again, though that was seen minutes later', async () => {
    await night.watch();
    await night.poll(...night.many(5));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    night.minutes = 2;
    await night.succeed(400);
    await night.poll();
    night.minutes = 8;
    await night.poll(...night.many(5, { occurredAt: at(4), from: 10 }));
    const news = night.channel.posted.flatMap((content) => (content.kind === 'personal' ? [content] : []));
    expect(news.at(-1)).toMatchObject({ news: { what: 'failing-again' }, at: at(4) });
  });

  test('isn’t told what isn’t so any more once Slack is back', async () => {
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
