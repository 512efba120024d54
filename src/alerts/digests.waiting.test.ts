import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { at, reading, record } from '../store/examples.testing.ts';
import { dbWith } from '../store/store.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { announce } from './announce.ts';
import { ANN, AWAY, describeNight } from './night.testing.ts';

describeNight('A digest that waits', (night) => {
  test.for([
    { watch: 'everything', filter: EVERYTHING },
    { watch: 'one workflow', filter: { ...EVERYTHING, workflows: ['order-shipped'] } },
  ])('what a message of a watch of $watch shows when it is posted was alerted by it', async ({ filter }) => {
    const watch = await night.watch({ filter });
    night.minutes = -2;
    await night.mutes(watch, 0);
    night.minutes = 0;
    await night.poll(night.refused(-1, { provider: 'mailgun' }), night.refused(-2, { provider: 'ses' }));
    await night.mutes(watch, 60, 1);
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(0));
    night.channel.answerPosts = () => null;
    night.minutes = 1;
    const failures = [...night.many(12, { from: 1 }), night.refused(-3, { provider: 'ses' })];
    await record(night.store, 'production', reading({ failures }), night.now());
    await night.deliver();
    night.minutes = 2;
    await night.poll(night.refused(13));
    expect(night.alerts()).toEqual([['new #1 1', 'new #2 1'], ['new #3 13']]);
    night.minutes = 20;
    await night.poll(...night.many(120, { from: 14 }));
    expect(night.alerts()).toEqual([['new #1 1', 'new #2 1'], ['new #3 13'], ['grown #3 134']]);
  });

  test.each([
    { waits: 0, first: 'gone', second: 'refused' },
    { waits: 15, first: 'refused', second: 'gone' },
  ] as const)(
    'what joins a waiting message is posted with it at once, and mentions whom either does: $first, then $second',
    async ({ waits, first, second }) => {
      await night.watch({ mention: ANN });
      night.channel.answerPosts = () => AWAY;
      await night.poll(night[first](0));
      await night.wait(waits);
      night.channel.answerPosts = () => null;
      night.minutes += 1 / 60;
      await night.poll(night[second](1), night.refused(2));
      expect(night.digests()).toMatchObject([{ mention: ANN }]);
      expect(night.alerts()[0]).toHaveLength(2);
    },
  );

  test('what a watch alerted to is left out if a wider one has posted it meanwhile', async () => {
    await night.watch({ threshold: { failures: 2, withinMs: 10 * 60_000, rate: null } });
    await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } });
    night.channel.answerPosts = () => (night.channel.answers.length < 2 ? AWAY : null);
    for (night.minutes of [0, 1]) await night.poll(night.refused(night.minutes));
    await night.wait(5);
    expect(night.alerts()).toEqual([['new #1 2']]);
  });

  test('what a watch alerted to is left out if a wider one, muted meanwhile, posts what it wrote before', async () => {
    const watch = await night.watch();
    await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } });
    night.channel.answerPosts = () => (night.minutes < 3 ? AWAY : null);
    await night.poll(night.refused(0));
    await night.mutes(watch, 2);
    for (const minutes of [1, 2, 1]) await night.wait(minutes);
    expect(night.alerts()).toEqual([['missed #1 1']]);
  });

  test('a message mentions people if something of it is for them by the time it is posted', async () => {
    await night.watch({ mention: ANN });
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(0));
    await night.wait(6);
    await night.wait(1);
    night.channel.answerPosts = () => null;
    night.minutes = 10;
    await night.poll(night.refused(1));
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(2, { provider: 'ses' }));
    await night.does(2, { what: 'acknowledged' });
    night.channel.answerPosts = () => null;
    night.minutes = 16;
    await night.poll(night.refused(3, { provider: 'ses' }));
    expect(night.digests().map((digest) => digest.mention)).toEqual([ANN, null]);
  });

  test('a post of which every answer is lost is tried again ever more seldom', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    await night.poll(night.refused(0));
    for (let tries = 1; tries < 5; tries += 1) {
      await night.endLeases();
      await night.deliver();
    }
    expect(night.channel.posted).toHaveLength(5);
    const later = `SELECT 1 FROM slack_messages WHERE leased_until > now() + interval '25 seconds'`;
    expect(await night.store.db.rows(z.unknown(), later)).toHaveLength(1);
  });

  test('while nobody knows whether one was posted no other is begun, and what is pending joins it', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    night.channel.search = { found: 'not-now', reason: 'internal_error', retryAfterMs: null };
    for (const [minute, provider] of ['sendgrid', 'ses', 'mailgun', 'sendgrid'].entries()) {
      night.minutes = minute;
      await night.poll(night.refused(minute, { provider }));
      await night.endLeases();
    }
    night.channel.answerPosts = () => null;
    night.channel.search = { found: 'no' };
    await night.deliver();
    await night.wait(1);
    const [, ...later] = night.alerts();
    expect(later.map((rows) => rows.toSorted())).toEqual([['new #1 2', 'new #2 1', 'new #3 1']]);
    expect(night.digests()[1]?.id).toBe(night.digests()[0]?.id);
  });

  test('what became known while one was posted that was found later is posted after it', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    await night.poll(night.refused(0));
    night.channel.answerPosts = () => null;
    night.channel.search = { found: 'yes', ts: '1.0' };
    night.minutes = 1;
    await night.poll(night.refused(1, { provider: 'ses' }));
    expect(night.alerts()).toEqual([['new #1 1']]);
    await night.endLeases();
    await night.deliver();
    expect(night.alerts()).toEqual([['new #1 1'], ['new #2 1']]);
  });

  test('an all-clear that waited is left out if it fails again by then', async () => {
    await night.watch({ hasAllClear: true });
    await night.poll(night.refused(0));
    night.channel.answerPosts = ({ kind }) => (kind === 'line' ? AWAY : null);
    await night.does(1, { what: 'resolved' });
    await night.deliver();
    night.minutes = 1;
    await night.poll(night.refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(1);
    expect(night.channel.posted.map(({ kind }) => kind)).toEqual(['digest', 'digest']);
  });

  test('a failure that is committed just after a message was drawn is drawn again', async () => {
    await night.watch();
    await record(night.store, 'production', reading({ failures: [night.refused(0)] }), at(0));
    await night.announce();
    const { post } = night.channel;
    night.channel.post = async (...args) => {
      await record(night.store, 'production', reading({ failures: [night.refused(1)] }), at(0.4));
      return post(...args);
    };
    await night.deliver();
    night.minutes = 1.6;
    await night.announce();
    await night.deliver();
    expect(night.channel.edited).toMatchObject([{ content: { rows: [{ incident: { failures: 2 } }] } }]);
  });

  // The embedded database takes one transaction after the other.
  test.runIf(inject('database') === 'server')('two announcers at once alert to an incident once', async () => {
    await night.watch();
    await night.poll();
    await record(night.store, 'production', reading({ failures: [night.refused(0)] }), night.now());
    const db = night.store.db;
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let isFirst = true;
    /** The first one's transaction ends when the other one waits for it, having read what is new. */
    const slow = dbWith(db, {
      transaction: (work) =>
        db.transaction(async (tx) => {
          const result = await work(tx);
          if (isFirst) {
            isFirst = false;
            await expect.poll(() => db.rows(z.unknown(), waiting)).toHaveLength(1);
          }
          return result;
        }),
    });
    const ctx = { ...night.ctx, db: slow };
    await Promise.all([announce(ctx, 'production'), announce(ctx, 'production')]);
    await night.wait(1);
    expect(night.alerts()).toEqual([['new #1 1']]);
  });
});
