import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { explainCause } from '../causes/explain-cause.ts';
import type { Failure } from '../judging/failure.ts';
import { at, reading, record } from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { muteUntil, watchCtx } from '../watches/watches.testing.ts';
import { incidentNow } from './lists.ts';
import { explainAgain } from './mask-causes.ts';
import { wordings } from './tables.ts';
import { timelineOf } from './timeline.ts';

/** What becomes of an incident over several polls. */
describeNight('An incident', (night, store) => {
  const said = (text: string) => ({ text, key: text.toLowerCase() });
  const shown = (id: number) => incidentNow(store().db, id, night.now());
  const happened = async (id: number) => (await timelineOf(store().db, id)).map(({ change }) => change?.action);
  /** Without announcing, unlike `night.poll`. */
  const recordsOnly = (...failures: Failure[]) => record(store(), 'production', reading({ failures }), night.now());
  const posts = () => night.digests().map(({ channel, rows }) => [channel, ...rows.map(({ incident }) => incident.id)]);

  test('recovers in time though an event a minute is unreadable all day, among many', async () => {
    await night.watch();
    await night.poll(...night.many(5));
    for (let minute = 1; minute <= 20; minute += 1) {
      night.minutes = minute;
      await night.succeed(50);
      const unreadable = [{ key: `odd ${minute}`, createdAt: night.now() }];
      await record(store(), 'production', reading({ unreadable }), night.now());
      await night.poll();
    }
    expect(await shown(1)).toMatchObject({ state: { is: 'resolved' } });
  });

  test.each<[string, Partial<Failure>, object]>([
    ['a tag', { tags: ['vip'] }, { tags: ['vip'] }],
    ['a topic', { topics: ['launch'] }, { topics: ['launch'] }],
    ['a severity', { severity: 'low' }, { severities: ['low'] }],
  ])('is told to a watch for %s that its details bring later', async (_, later, filter) => {
    await night.watch({ filter: { ...EVERYTHING, ...filter } });
    await night.poll(night.refused(0));
    expect(posts()).toEqual([]);
    night.minutes = 1;
    await night.poll({ ...night.refused(0), ...later });
    expect(posts()).toEqual([['C0ALERTS', 1]]);
  });

  test('gets critical once the details say so', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 1;
    await night.poll({ ...night.refused(0), critical: true });
    expect(await shown(1)).toMatchObject({ critical: true });
    expect(night.lines()).toEqual(['critical']);
  });

  test('that is back counts late finds to the outbreak before, and does not ring for them', async () => {
    await night.watch();
    await night.poll(...night.many(5));
    night.minutes = 10;
    await night.does(1, { what: 'resolved' });
    night.minutes = 20;
    await night.poll(night.refused(10));
    const before = night.digests().length;
    night.minutes = 40;
    const late = night.many(60, { occurredAt: at(5), from: 20 });
    await night.poll(...late, { ...night.refused(99), occurredAt: at(5), critical: true });
    expect(await shown(1)).toMatchObject({
      outbreak: 2,
      failures: 1,
      beganAt: at(20),
      critical: false,
      failuresInAll: 67,
    });
    expect(night.digests()).toHaveLength(before);
    expect((await happened(1)).filter((action) => action === 'critical' || action === 'found-later')).toEqual([
      'found-later',
    ]);
  });

  test('that ended gets what is found later, with a line and without a ring', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 2;
    await night.does(1, { what: 'resolved' });
    await night.wait(18);
    const late = night.many(59, { occurredAt: at(1), from: 10 });
    await night.poll(...late, { ...night.refused(99), occurredAt: at(1), critical: true });
    expect(await shown(1)).toMatchObject({ state: { is: 'resolved' }, outbreak: 1, failures: 61 });
    expect([night.alerts(), night.lines()]).toEqual([[['new #1 1']], ['resolved', 'found-later']]);
  });

  test('is open until a workflow that fails each time is delivered, or not tried for half an hour', async () => {
    await night.watch();
    const rare = { workflow: 'rare', workflowName: 'rare' };
    for (const minute of [0, 5]) {
      night.minutes = minute;
      await night.succeed(20, { workflow: 'busy' });
      await night.poll(night.refused(minute, rare), ...(minute === 0 ? [night.refused(9, { workflow: 'busy' })] : []));
    }
    for (let minute = 6; minute < 34; minute += 3) {
      night.minutes = minute;
      await night.succeed(20, { workflow: 'busy' });
      await night.poll();
      expect(await shown(1)).not.toMatchObject({ state: { is: 'resolved' } });
    }
    await night.wait(5);
    expect(await shown(1)).toMatchObject({ state: { is: 'unconfirmed' } });
    expect(night.lines()).not.toContain('ended');
  });

  test('that fails each night at two, and runs only then, is one incident without an all-clear', async () => {
    await night.watch();
    for (const day of [0, 1, 2]) {
      night.minutes = day * 1440;
      await night.poll(...night.many(3, { from: 10 * day }));
      for (const minutes of [5, 60, 600]) await night.wait(minutes);
    }
    expect(await shown(1)).toMatchObject({ outbreak: 1, failures: 9, state: { is: 'recovering' } });
    expect([await shown(2), night.lines().includes('ended')]).toEqual([null, false]);
  });

  test('goes on with its number, acts and alerts whatever its failures say by now', async () => {
    await night.watch();
    await night.poll(...night.many(3, { cause: said('Bounced by policy X') }));
    await night.does(1, { what: 'acknowledged' });
    night.minutes = 3;
    await night.poll(...night.many(3, { cause: said('connect ECONNREFUSED 10.0.0.1:587') }));
    expect(await shown(1)).toMatchObject({ failures: 3, headline: 'connection refused', acknowledged: { at: at(0) } });
    expect([await shown(2), night.alerts()]).toEqual([null, [['new #1 3']]]);
    expect(await happened(1)).toContain('cause-clear');
  });

  test('has the wordings of one cause, in other words and codes', async () => {
    const texts = ['rate limit exceeded', '429 Too Many Requests', 'throttled'];
    for (const [place, text] of texts.entries()) await recordsOnly(night.refused(place, { cause: said(text) }));
    await night.does(1, { what: 'resolved' });
    night.minutes = 9;
    for (const [place, text] of texts.entries()) await recordsOnly(night.refused(10 + place, { cause: said(text) }));
    const earlier = [{ from: expect.any(Date), to: expect.any(Date) }];
    expect(await shown(1)).toMatchObject({ outbreak: 2, failures: 3, failuresInAll: 6, earlier });
    expect(await shown(2)).toBeNull();
    const kept = await store().db.select().from(wordings).orderBy(wordings.id);
    expect(kept.map(({ causeText }) => causeText)).toEqual(texts);
  });

  test('goes on, acknowledged, where a new version splits its catalog entry', async () => {
    await night.watch();
    const limited = (place: number, text: string) => night.refused(place, { cause: said(text) });
    await night.poll(limited(0, 'rate limit exceeded'), limited(1, 'throttled'));
    await night.does(1, { what: 'acknowledged' });
    const later: typeof explainCause = (failure) => {
      const { entry, ...known } = explainCause(failure);
      return { ...known, entry: entry && { ...entry, headline: `by ${failure.cause.text}` } };
    };
    await explainAgain(store().db, later, night.now());
    night.minutes = 1;
    await night.poll(limited(2, 'rate limit exceeded'), limited(3, 'throttled'));
    expect(await shown(1)).toMatchObject({
      failures: 4,
      acknowledged: { actor: 'U0ANN' },
      headline: 'by rate limit exceeded',
    });
    expect([await shown(2), night.alerts()]).toEqual([null, [['new #1 2']]]);
  });

  test('of sixty unexplained failures is clear once one is explained, and nothing moves', async () => {
    await night.watch();
    const unexplained = night.many(60, { cause: said('No reason was given') });
    await night.poll(...unexplained);
    night.minutes = 1;
    const explained = night.refused(7, { cause: said('rate limit exceeded') });
    await night.poll({ ...explained, occurredAt: at(0), eventCreatedAt: at(0) });
    expect(await shown(1)).toMatchObject({ headline: 'rate limit reached', failures: 60, beganAt: at(0) });
    expect([await shown(2), night.alerts()]).toEqual([null, [['new #1 60']]]);
  });

  const welcome = { workflow: 'welcome', workflowName: 'Welcome' };
  const orders = { workflow: 'orders', workflowName: 'Orders' };
  const unexplained = { cause: said('No reason was given') };
  const limited = { cause: said('rate limit exceeded') };

  /** #1 of Welcome is told and muted in C0A, #2 of Orders told in C0B and acknowledged. Then #1 turns out to have the cause of #2. */
  async function turnsOutToBeOne(): Promise<void> {
    const inA = await night.watch({ filter: { ...EVERYTHING, workflows: ['Welcome'] } }, 'C0A');
    await night.watch({ filter: { ...EVERYTHING, workflows: ['Orders'] } }, 'C0B');
    await night.poll(...night.many(3, { ...welcome, ...unexplained }));
    night.minutes = 1;
    await night.poll(...night.many(3, { ...orders, ...limited, from: 10 }));
    await muteUntil(watchCtx(store().db, night.now()), inA.id, 1, { actor: 'U0BEN', until: at(600) });
    await night.does(2, { what: 'acknowledged' });
    expect(posts()).toEqual([
      ['C0A', 1],
      ['C0B', 2],
    ]);
    night.minutes = 4;
    await night.poll(night.refused(0, { ...welcome, ...limited, occurredAt: at(0), eventCreatedAt: at(0) }));
  }

  test('that turns out to be an older one goes on as that', async () => {
    await turnsOutToBeOne();
    expect(await shown(2)).toMatchObject({ continuedAs: 1, state: { is: 'resolved' }, failures: 3 });
    const links = async (id: number) =>
      (await happened(id)).filter((action) => action === 'goes-on-as' || action === 'continues');
    expect([await links(2), await links(1)]).toEqual([['goes-on-as'], ['continues']]);
  });

  test('that turned out to be an older one is told nowhere anew, and the older one is neither acknowledged nor muted', async () => {
    await turnsOutToBeOne();
    night.minutes = 20;
    await night.poll(...night.many(3, { ...orders, ...limited, from: 20 }));
    expect(await shown(1)).toMatchObject({ failures: 6, acknowledged: null, state: { is: 'firing' } });
    expect(posts().filter(([channel]) => channel === 'C0B')).toHaveLength(1);
    night.minutes = 21;
    await night.poll(...night.many(30, { ...welcome, ...limited, critical: true, from: 40 }));
    expect(posts().filter(([channel]) => channel === 'C0A')).toHaveLength(2);
  });
});
