import { beforeEach, describe, expect, test } from 'vitest';
import { changes } from '../changes/tables.ts';
import { silentIn } from '../incidents/silences.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import {
  at,
  checkedTo,
  finishPresent,
  openedEnvironment,
  reading,
  record,
  stretch,
  trackedEvent,
} from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { configuredWatch, madeWatch } from '../watches/watches.testing.ts';
import { ANN, AWAY, describeNight, drawn } from './night.testing.ts';

const DAYS = 24 * 60;

describeNight('Notices', (night) => {
  test('a watch that wants changes notifies of those that its filter covers, once, after quiet hours', async () => {
    const filter = { ...EVERYTHING, workflows: ['order-shipped'] };
    const { settings } = await night.watch({ hasChanges: true, filter, quiet: { from: 12 * 60, to: 12 * 60 + 5 } });
    await night.watch();
    const others = { ...settings, filter: { ...EVERYTHING, workflows: ['welcome'] } };
    await madeWatch(night.store.db, { channel: 'C0OTHERS', createdBy: 'U0BEN', settings: others }, at(-1));
    const elsewhere = { ...settings, filter: { ...EVERYTHING, environments: ['staging'] } };
    await madeWatch(night.store.db, { channel: 'C0STAGING', createdBy: 'U0BEN', settings: elsewhere }, at(-1));
    const changed = async (typed: string) => {
      const name = boundedId(typed);
      const what = { kind: 'workflow', identifier: name, name, aspects: [] } as const;
      await night.store.db.insert(changes).values({ environment: 'production', at: night.now(), what });
    };
    for (const name of ['order-shipped', 'welcome', 'order-shipped']) await changed(name);
    await night.wait(4);
    expect(night.channel.posted).toEqual([]);
    for (const minutes of [1, 1]) await night.wait(minutes);
    await changed('welcome');
    await night.wait(1);
    const counts = night.channel.posted.map(
      (content) => content.kind === 'changes' && [content.channel, content.changes.length],
    );
    expect(counts.toSorted()).toEqual([
      ['C0ALERTS', 2],
      ['C0OTHERS', 1],
      ['C0OTHERS', 1],
    ]);
  });

  test('a watch that covers an environment only now doesn’t notify of what was changed there before', async () => {
    const filter = { ...EVERYTHING, environments: ['staging'] };
    const watch = await night.watch({ hasChanges: true, filter });
    const deployed = (name: string) =>
      night.store.db.insert(changes).values({
        environment: 'production',
        at: night.now(),
        what: { kind: 'deploy', name: boundedId(name), actor: null },
      });
    await deployed('before');
    await night.wait(1);
    await night.edits(watch, { filter: EVERYTHING });
    await night.wait(1);
    await deployed('after');
    await night.wait(1);
    expect(night.channel.posted).toMatchObject([{ kind: 'changes', changes: [{ what: { name: 'after' } }] }]);
  });

  test('an environment without events for far longer than usual is posted once, and edited when there are some', async () => {
    await night.watch();
    await night.watch({ silence: 'off' }, 'C0OTHERS');
    await happen(minutesFrom(1, 60));
    const read = async (to: number, newest: number) => {
      night.minutes = to;
      if (newest > 60) await happen([newest]);
      await night.poll();
      return night.channel.posted.map(({ kind }) => kind);
    };
    expect(await read(89, 60)).toEqual([]);
    expect(await read(91, 60)).toEqual(['digest']);
    const silent = { kind: 'silence', beganAt: at(60), cause: { text: 'pauses usually end within 1 min' } };
    expect(night.digests()).toMatchObject([{ rows: [{ reason: 'new', incident: silent }] }]);
    expect(await read(200, 60)).toEqual(['digest']);
    expect(await read(202, 201)).toEqual(['digest', 'line']);
    expect((await drawn(night, 0)).rows).toMatchObject([{ incident: { ...silent, state: { is: 'resolved' } } }]);
    expect(await read(230, 201)).toEqual(['digest', 'line']);
  });

  test('a silence that is over before Slack takes its message is posted as over, and mentions nobody', async () => {
    await night.watch({ mention: ANN });
    await happen(minutesFrom(1, 60));
    night.channel.answerPosts = () => AWAY;
    await night.wait(95);
    await happen([97]);
    await night.wait(5);
    night.channel.answerPosts = () => null;
    await night.wait(5);
    expect(night.digests()).toMatchObject([{ mention: null, rows: [{ incident: { state: { is: 'resolved' } } }] }]);
  });

  test('a silence that goes on is posted in the channel that the configured watch moves to', async () => {
    await configuredWatch(night.store.db, 'C0OLD', at(-1));
    await happen(minutesFrom(1, 60));
    await night.wait(95);
    await configuredWatch(night.store.db, 'C0NEW', at(96));
    for (const minutes of [5, 5]) await night.wait(minutes);
    expect(night.channel.posted.map(({ channel }) => channel)).toEqual(['C0OLD', 'C0NEW']);
  });

  test('environments that fall silent in the same minute are posted each, once', async () => {
    await night.watch();
    const names = ['production', await openedEnvironment(night.store, 'staging')];
    for (const environment of names) await happen(minutesFrom(1, 60), { environment });
    night.minutes = 91;
    for (const environment of [...names, ...names]) {
      await finishPresent(night.store, environment, { to: at(91), gaps: [], clockAheadMs: null }, at(91));
      await night.announce(environment);
      await night.deliver();
    }
    const silences = names.map((environment) => ({ environment, rows: [{ incident: { kind: 'silence' } }] }));
    expect(night.digests()).toMatchObject(silences);
  });

  test.each([
    ['is usually quiet', [...minutesFrom(0, 60), ...minutesFrom(180, 60)]],
    ['had events in less than an hour in all', minutesFrom(181, 59)],
  ])('an environment that %s may have no events without a notice', async (_, created) => {
    await night.watch();
    await happen(created);
    night.minutes = 470;
    await night.poll();
    expect(night.channel.posted).toEqual([]);
  });

  describe('of workflows', () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, day) => -(day + 1) * DAYS).flatMap((day) => minutesFrom(day - 300, 600));
    const silent = minutesFrom(-300, 301);
    const others = minutesFrom(-300, 400);
    beforeEach(async () => {
      await night.store.db.write('UPDATE environments SET covered_from = $1', [at(-5 * DAYS)]);
      for (const workflow of ['welcome', 'invoice']) await happen([...days(4), ...others], { workflow });
    });
    const silences = () =>
      night
        .digests()
        .flatMap(({ channel, rows }) =>
          rows.map(({ incident }) => [channel, incident.workflows[0]?.workflowName ?? null]),
        );

    test('a critical workflow that stops is posted once where its watch covers it, and edited when it goes on', async () => {
      await night.watch();
      await night.watch({ filter: { ...EVERYTHING, workflows: ['welcome'] } }, 'C0OTHERS');
      await night.watch({ silence: 'off' }, 'C0OFF');
      await happen([...days(4), ...silent], { workflow: 'payment-failed', critical: true });
      await happen([...days(4), ...silent], { workflow: 'order-shipped' });
      for (const minutes of [28, 4, 4]) await night.wait(minutes);
      expect(silences()).toEqual([['C0ALERTS', 'payment-failed']]);
      const known = () => silentIn(night.store.db, ['production']);
      expect(await known()).toMatchObject([
        { workflow: 'payment-failed', since: at(0) },
        { workflow: 'order-shipped', since: at(0) },
      ]);
      await happen([40], { workflow: 'payment-failed' });
      await night.wait(6);
      expect(await known()).toMatchObject([{ workflow: 'order-shipped' }]);
      expect((await drawn(night, 0)).rows).toMatchObject([{ incident: { state: { is: 'resolved' } } }]);
    });

    test('a watch of every silence also notifies of a workflow that is not critical, unless it is rare, new or unchecked', async () => {
      await night.watch({ silence: 'all' });
      await happen([...days(4), ...silent], { workflow: 'order-shipped' });
      await happen([...days(2), ...silent], { workflow: 'new' });
      await happen(
        [...days(4), ...silent].filter((minute) => minute % 120 === 0),
        { workflow: 'rare' },
      );
      await checkedTo(night.store, at(20), stretch(at(10), at(15)));
      await night.wait(36);
      expect(silences()).toEqual([]);
      await night.store.db.write('UPDATE gaps SET closed_at = $1, unchecked = $2', [at(37), '[]']);
      await night.wait(1);
      expect(silences()).toEqual([['C0ALERTS', 'order-shipped']]);
    });
  });

  async function happen(
    created: readonly number[],
    { environment = 'production', workflow = 'order-shipped', critical = false } = {},
  ): Promise<void> {
    const named = { id: workflow, identifier: workflow, name: workflow, variables: [] };
    const trackedEvents = created.map((minute) =>
      trackedEvent({ eventKey: `${workflow}-${minute}`, createdAt: at(minute), workflow: named, critical }),
    );
    await record(night.store, environment, reading({ trackedEvents }), at(240));
  }
});

function minutesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => first + place);
}
