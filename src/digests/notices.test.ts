import { expect, test } from 'vitest';
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
import { changes, gaps } from '../store/schema.ts';
import { setMute } from '../watches/mutes.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { madeWatch, watchCtx } from '../watches/watches.testing.ts';
import { changeWatch, endWatch } from '../watches/watches.ts';
import { announce } from './announce.ts';
import { AWAY, describeNight } from './told.testing.ts';

describeNight('Notices', (night) => {
  test('a gap is told once per channel, after quiet hours and mutes, and edited when it is closed', async () => {
    const mention = { kind: 'person', id: 'U0ANN' } as const;
    const quiet = { from: 12 * 60, to: 12 * 60 + 12 };
    await night.watch({ quiet: { from: 12 * 60, to: 12 * 60 + 15 } });
    const { id, settings } = await night.watch({ mention, quiet });
    await setMute(watchCtx(night.store.db, at(0)), id, null, { by: 'U0ANN', until: at(14) });
    const hiccup = { environment: 'production', from: at(0), to: at(0.5), openedAt: at(0.5), closedAt: at(1) };
    await night.store.db.insert(gaps).values({ ...hiccup, cause: 'unreachable' });
    await checkedTo(night.store, at(10), stretch(at(2), at(8)));
    for (night.minutes = 11; night.minutes < 14; night.minutes += 1) await night.poll();
    expect(night.channel.posted).toEqual([]);
    await night.poll();
    await night.poll();
    expect(night.channel.posted).toMatchObject([{ kind: 'gap', mention }]);
    await night.store.db.write(
      `UPDATE gaps SET closed_at = '${at(15).toISOString()}', unchecked = '[]' WHERE closed_at IS NULL`,
    );
    night.minutes = 15;
    await madeWatch(night.store.db, { channel: 'C0LATER', createdBy: 'U0BEN', settings }, at(15));
    await night.wait(1);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ kind: 'gap', gap: { closedAt: at(15) } });
    await endWatch(watchCtx(night.store.db, at(16)), id, 'U0ANN');
    await night.wait(1);
    expect(night.channel.posted).toHaveLength(1);
  });

  test('a gap is told by the watch of a channel that may speak now, and that calls somebody if one does', async () => {
    const mention = { kind: 'person', id: 'U0ANN' } as const;
    await night.watch({ mention, quiet: { from: 12 * 60, to: 13 * 60 } });
    for (const settings of [{}, { mention }]) await night.watch(settings);
    await checkedTo(night.store, at(10), stretch(at(2), at(8)));
    night.minutes = 11;
    for (const _ of [1, 2]) await night.poll();
    expect(night.channel.posted).toMatchObject([{ kind: 'gap', mention }]);
  });

  test('a gap that the first watch of a channel could not tell of any more is told by the next', async () => {
    const { id } = await night.watch({ hasAllClear: true });
    await night.watch();
    night.channel.answerPosts = () => AWAY;
    await checkedTo(night.store, at(10), stretch(at(2), at(8)));
    await night.wait(10);
    await endWatch(watchCtx(night.store.db, at(10)), id, 'U0ANN');
    night.channel.answerPosts = () => null;
    await night.wait(1);
    expect(night.channel.posted).toMatchObject([{ kind: 'gap' }]);
  });

  const GIVEN_UP = [{ from: at(2), to: at(3), tries: 9, nextTryAt: null }];
  test.each([
    { left: [], isMentioned: false },
    { left: GIVEN_UP, isMentioned: true },
  ])(
    'a gap that is over mentions people only if something of it stays unchecked: %j',
    async ({ left, isMentioned }) => {
      const mention = { kind: 'person', id: 'U0ANN' } as const;
      await night.watch({ mention });
      await checkedTo(night.store, at(10), stretch(at(2), at(8)));
      await night.store.db.write('UPDATE gaps SET closed_at = $1, unchecked = $2::jsonb', [
        at(9),
        JSON.stringify(left),
      ]);
      night.minutes = 11;
      for (const _ of [1, 2]) await night.poll();
      expect(night.channel.posted).toMatchObject([{ kind: 'gap', mention: isMentioned ? mention : null }]);
    },
  );

  test('a watch that wants changes is told of those that its filter covers, once, after quiet hours', async () => {
    const filter = { ...EVERYTHING, workflows: ['order-shipped'] };
    const { settings } = await night.watch({ hasChanges: true, filter, quiet: { from: 12 * 60, to: 12 * 60 + 5 } });
    await night.watch();
    const others = { ...settings, filter: { ...EVERYTHING, workflows: ['welcome'] } };
    await madeWatch(night.store.db, { channel: 'C0OTHERS', createdBy: 'U0BEN', settings: others }, at(-1));
    const elsewhere = { ...settings, filter: { ...EVERYTHING, environments: ['staging'] } };
    await madeWatch(night.store.db, { channel: 'C0STAGING', createdBy: 'U0BEN', settings: elsewhere }, at(-1));
    const changed = async (name: string) => {
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

  test('a watch that covers an environment only now is not told of what was changed there before', async () => {
    const filter = { ...EVERYTHING, environments: ['staging'] };
    const { id, settings } = await night.watch({ hasChanges: true, filter });
    const deployed = (name: string) =>
      night.store.db.insert(changes).values({
        ...{ environment: 'production', at: night.now(), what: { kind: 'deploy', name, by: null } },
      });
    await deployed('before');
    await night.wait(1);
    const wider = { ...settings, filter: EVERYTHING };
    await changeWatch(watchCtx(night.store.db, at(1)), id, { settings: wider, by: 'U0ANN' });
    await night.wait(1);
    await deployed('after');
    await night.wait(1);
    expect(night.channel.posted).toMatchObject([{ kind: 'changes', changes: [{ what: { name: 'after' } }] }]);
  });

  test('gaps of environments of one service that begin together are one message', async () => {
    await night.watch();
    const begins = ['production', 'staging', 'preview'].map((environment, place) => ({
      environment,
      minute: place * 4,
    }));
    for (const { environment, minute } of begins) {
      const gap = { environment, from: at(minute), cause: 'unreachable', openedAt: at(minute) } as const;
      await night.store.db.insert(gaps).values(gap);
    }
    night.minutes = 10;
    const tell = async (environment: string) => {
      const others = begins.map((other) => other.environment).filter((other) => other !== environment);
      await announce(night.ctx, environment, others);
      await night.deliver();
    };
    for (const { environment } of [...begins, ...begins]) await tell(environment);
    expect(night.channel.posted.map(({ kind }) => kind)).toEqual(['gap', 'gap']);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ environments: ['production', 'staging'] });
    await night.store.db.write(
      `UPDATE gaps SET ends_at = '${at(11).toISOString()}', closed_at = '${at(12).toISOString()}'`,
    );
    night.minutes = 13;
    await tell('staging');
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ gap: { to: at(11), closedAt: at(12) } });
  });

  test('an environment without events for far longer than usual is told once, and edited when there are some', async () => {
    await night.watch();
    await happen(minutesFrom(1, 60));
    const read = async (to: number, newest: number) => {
      night.minutes = to;
      if (newest > 60) await happen([newest]);
      await night.poll();
      return night.channel.posted.map(({ kind }) => kind);
    };
    expect(await read(89, 60)).toEqual([]);
    expect(await read(91, 60)).toEqual(['silence']);
    expect(await read(200, 60)).toEqual(['silence']);
    expect(await read(202, 201)).toEqual(['silence']);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ since: at(60), until: at(201), usualMs: 60_000 });
    expect(await read(230, 201)).toEqual(['silence']);
  });

  test('environments that fall silent in the same minute are told of each, once', async () => {
    await night.watch();
    const names = ['production', await openedEnvironment(night.store, 'staging')];
    for (const environment of names) await happen(minutesFrom(1, 60), environment);
    night.minutes = 91;
    for (const environment of [...names, ...names]) {
      await finishPresent(night.store, environment, { to: at(91), gaps: [], clockAheadMs: null }, at(91));
      await announce(night.ctx, environment);
      await night.deliver();
    }
    const told = names.map((environment) => ({ kind: 'silence', environment }));
    expect(night.channel.posted).toMatchObject(told);
  });

  test.each([
    ['is usually quiet', [...minutesFrom(0, 60), ...minutesFrom(180, 60)]],
    ['had events in less than an hour in all', minutesFrom(181, 59)],
  ])('an environment that %s may have none', async (_, created) => {
    await night.watch();
    await happen(created);
    night.minutes = 470;
    await night.poll();
    expect(night.channel.posted).toEqual([]);
  });

  async function happen(created: readonly number[], environment = 'production'): Promise<void> {
    const trackedEvents = created.map((minute) => trackedEvent({ eventKey: `event-${minute}`, createdAt: at(minute) }));
    await record(night.store, environment, reading({ trackedEvents }), at(240));
  }
});

function minutesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => first + place);
}
