import { describe, expect, test } from 'vitest';
import type { Failure } from '../../domain/failures/failure.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { at, failureOf, recordFailures } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const DAYS = 24 * 60;
const SHIFT = { from: at(0), to: at(8 * 60) };
const EVERYWHERE = ['production', 'staging'];

describeStore('a handover', (store) => {
  const fails = (cause: string, minutes: number, change: Partial<Failure> = {}) =>
    recordFailures(store(), at(minutes), [
      failureOf(cause, { eventKey: `${cause}-${minutes}`, occurredAt: at(minutes), ...change }),
    ]);
  const onlyGroup = async () => {
    const { rows } = await store().executeSql('SELECT group_key FROM episodes');
    const [{ group_key: key }] = rows as [{ group_key: string }];
    return key;
  };
  const resolve = async (minutes: number) => {
    const [newest] = (await store().incidents.openIncidents(['production'], { offset: 0, limit: 9 }, at(minutes)))
      .incidents;
    const target = { messageId: null, episodeId: newest?.episodeId ?? 0 };
    await store().incidents.resolve(target, 'U0ANN', at(minutes));
  };

  describe('has ended incidents', () => {
    const over = async (range = SHIFT, limit = 9) => {
      const { items, more } = await store().incidents.incidentsOver(EVERYWHERE, range, limit);
      return { causes: items.map(({ tally }) => tally.group.cause.text), more };
    };

    test('that ended in its range, the last first', async () => {
      await fails('before', -60);
      await resolve(-30);
      await fails('old', -20);
      await resolve(10);
      await fails('new', 20);
      await resolve(30);
      await fails('open', 40);
      expect(await over()).toEqual({ causes: ['new', 'old'], more: 0 });
      expect(await over(SHIFT, 1)).toEqual({ causes: ['new'], more: 1 });
    });

    test('that nobody resolved, after a day, except those that came back', async () => {
      await fails('quiet', 1);
      await fails('again', 1);
      await fails('again', 3 * DAYS);
      expect(await over({ from: at(0), to: at(3 * DAYS + 1) })).toEqual({ causes: ['quiet'], more: 0 });
    });

    test('whose day without a failure ended in its range, however short that is', async () => {
      for (const [cause, hours] of [
        ['over before', -25],
        ['over then', -24],
        ['over at the end', -16],
        ['over later', -15],
      ] as const)
        await fails(cause, hours * 60 + 1);
      expect(await over({ from: at(0), to: at(8 * 60 + 1) })).toMatchObject({
        causes: ['over at the end', 'over then'],
      });
    });

    test('but none of another environment, and none that are never announced', async () => {
      await fails('noise', 1, { verdict: 'undeliverable' });
      await fails('real', 1);
      await resolve(2);
      const { items } = await store().incidents.incidentsOver(['staging'], SHIFT, 9);
      expect(items).toEqual([]);
      expect((await over()).causes).toEqual(['real']);
    });
  });

  test('has the mutes that end soon, the next first, each once however many watches of a channel have it', async () => {
    const watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED }, at(-1));
    await fails('one', 0);
    const key = await onlyGroup();
    await store().incidents.mute(watch.id, key, { by: 'U0BEN', until: at(120) }, at(0));
    await store().incidents.mute(watch.id, null, { by: 'U0ANN', until: at(60) }, at(0));
    const settings = { ...UNFILTERED, everyMs: 60_000 };
    const other = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings }, at(-1));
    await store().incidents.mute(other.id, key, { by: 'U0BEN', until: at(120) }, at(0));
    await store().incidents.mute(other.id, null, { by: 'U0ANN', until: at(60) }, at(0));
    expect(await store().incidents.endingMutes(EVERYWHERE, { from: at(1), to: at(180) }, 9)).toEqual({
      items: [
        { channel: 'C1', muted: { watches: 2 }, by: 'U0ANN', until: at(60) },
        {
          channel: 'C1',
          muted: { environment: 'production', channel: 'email', provider: 'sendgrid' },
          by: 'U0BEN',
          until: at(120),
        },
      ],
      more: 0,
    });
    expect((await store().incidents.endingMutes(EVERYWHERE, { from: at(61), to: at(119) }, 9)).items).toEqual([]);
    await store().watches.endWatch(other.id, 'U0ANN', at(1));
    expect((await store().incidents.endingMutes(EVERYWHERE, { from: at(1), to: at(60) }, 9)).items).toMatchObject([
      { muted: { watches: 1 } },
    ]);
  });

  test('has the mutes of its environments only', async () => {
    const filter = { ...UNFILTERED.filter, environments: ['staging'] };
    const settings = { ...UNFILTERED, filter };
    const all = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED }, at(-1));
    const staged = await store().watches.makeWatch({ channel: 'C2', createdBy: 'U0ANN', settings }, at(-1));
    await fails('one', 0);
    const key = await onlyGroup();
    await store().incidents.mute(all.id, key, { by: 'U0BEN', until: at(120) }, at(0));
    await store().incidents.mute(all.id, null, { by: 'U0ANN', until: at(60) }, at(0));
    await store().incidents.mute(staged.id, null, { by: 'U0ANN', until: at(70) }, at(0));
    const mutesOf = async (...environments: string[]) => {
      const { items } = await store().incidents.endingMutes(environments, { from: at(1), to: at(180) }, 9);
      return items.map(({ channel, muted }) => [channel, 'watches' in muted ? 'watch' : muted.environment]);
    };
    expect(await mutesOf('production')).toEqual([
      ['C1', 'watch'],
      ['C1', 'production'],
    ]);
    expect(await mutesOf('staging')).toEqual([
      ['C1', 'watch'],
      ['C2', 'watch'],
    ]);
    expect(await mutesOf('production', 'staging')).toHaveLength(3);
  });
});
