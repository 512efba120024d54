import { beforeEach, expect, test } from 'vitest';
import { summaryDue } from '../../domain/alerting/summary.ts';
import { EVERYTHING, UNFILTERED, type Watch, type WatchSettings } from '../../domain/watches/watch.ts';
import { settingsKey } from '../../domain/watches/watch-settings.ts';
import { at, checkedTo, failureOf, NOON, recordFailures, stretch } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const counted = { verdict: 'undeliverable' } as const;

describeStore('a daily summary', (store) => {
  beforeEach(() => checkedTo(store(), NOON));
  const make = (settings: Partial<WatchSettings> = {}) =>
    store().watches.makeWatch({ channel: 'C1', createdBy: 'UANN', settings: { ...UNFILTERED, ...settings } }, NOON);
  const latest = async (now: Date) => {
    const message = await store().deliveries.claimMessage(now);
    const content = message && (await store().deliveries.content(message.id, now));
    if (message !== null)
      await store().deliveries.notePosted(message.id, { ts: '1.1', fingerprint: 'f', failures: 0 }, now);
    return content?.kind === 'summary' ? content : null;
  };
  const add = async (watch: Watch, day: string, now: Date, asked = ['production']) => {
    const checked = await store().alerting.checked(asked);
    const environments = checked.map((one) => ({ ...one, delayed: null }));
    const summedTo = (await store().alerting.lastSummaries())[0]?.summedTo ?? NOON;
    return store().alerting.writeSummary({ watch, day, range: { from: summedTo, to: now }, environments }, now);
  };
  const write = async (watch: Watch, day: string, now: Date, asked?: string[]) => {
    expect(await add(watch, day, now, asked)).toBe(true);
    const summary = await latest(now);
    return { ...summary, production: summary?.environments[0] };
  };

  test('reports what was read and what failed since the watch was made', async () => {
    const watch = await make();
    await recordFailures(store(), at(1), [failureOf('a'), failureOf('b'), failureOf('c', counted)]);
    const { range, production } = await write(watch, '2026-05-05', at(10));
    expect(range).toEqual({ from: NOON, to: at(10) });
    expect(production).toMatchObject({ environment: 'production', eventsChecked: 3, failedEvents: 2, unreadable: 0 });
    expect(production).toMatchObject({
      counted: { undeliverable: 1 },
      incidents: { failing: 2, quiet: 0, recovered: 0 },
    });
    expect(production?.largest.map(({ tally }) => tally.group.cause.text).toSorted()).toEqual(['a', 'b']);
  });

  test('reports the next day what came after it', async () => {
    const watch = await make();
    await recordFailures(store(), at(1), [failureOf('a')]);
    await write(watch, '2026-05-05', at(10));
    await recordFailures(store(), at(11), [failureOf('b')]);
    const { range, production } = await write(watch, '2026-05-06', at(20));
    expect(range).toEqual({ from: at(10), to: at(20) });
    expect(production).toMatchObject({ eventsChecked: 1, failedEvents: 1 });
    expect(production?.largest).toHaveLength(1);
  });

  test('is written once for a day, also when replicas do so at once', async () => {
    const watch = await make();
    const writing = [1, 2, 3].map(() => add(watch, '2026-05-05', at(10)));
    expect((await Promise.all(writing)).toSorted()).toEqual([false, false, true]);
    expect(await add(watch, '2026-05-04', at(11))).toBe(false);
    expect(await store().alerting.lastSummaries()).toEqual([{ watch, lastDay: '2026-05-05', summedTo: at(10) }]);
  });

  test('keeps saying what it said first', async () => {
    const watch = await make();
    await recordFailures(store(), at(1), [failureOf('a')]);
    await add(watch, '2026-05-05', at(10));
    await recordFailures(store(), at(11), [failureOf('a', { eventKey: 'another' })]);
    expect((await latest(at(12)))?.environments[0]?.largest[0]?.tally.failures).toBe(1);
  });

  test('reports that nothing failed', async () => {
    const { production } = await write(await make(), '2026-05-05', at(10));
    expect(production).toMatchObject({
      failedEvents: 0,
      incidents: { failing: 0, quiet: 0, recovered: 0 },
      largest: [],
    });
  });

  test('leaves out the incidents and counts that the watch does not cover', async () => {
    const watch = await make({ filter: { ...EVERYTHING, channels: ['sms'] } });
    await recordFailures(store(), at(1), [failureOf('a'), failureOf('b', { channel: 'sms' }), failureOf('c', counted)]);
    const { production } = await write(watch, '2026-05-05', at(10));
    expect(production?.largest.map(({ tally }) => tally.group.channel)).toEqual(['sms']);
    expect(production?.counted).toEqual({});
  });

  test("applies each part of the watch's filter to what alerts nobody", async () => {
    const watch = await make({ filter: { ...EVERYTHING, workflows: ['Order Shipped', 'ΟΔΟΣ'], topics: ['vip'] } });
    await recordFailures(store(), at(1), [
      failureOf('a', { ...counted, topics: ['VIP'] }),
      failureOf('b', { ...counted, topics: ['other'] }),
      failureOf('d', { ...counted, topics: ['Vip'], workflow: 'οδος', workflowName: null }),
      failureOf('c', { ...counted, topics: ['VIP'], workflow: 'x', workflowName: null }),
    ]);
    const { production } = await write(watch, '2026-05-05', at(10));
    expect(production?.counted).toEqual({ undeliverable: 2 });
  });

  test('keeps what was checked of each environment, also of one that was never polled', async () => {
    await recordFailures(store(), at(1), []);
    const { environments } = await write(await make(), '2026-05-05', at(10), ['staging', 'production']);
    expect(environments).toMatchObject([
      { environment: 'staging', coverage: null, eventsChecked: 0 },
      { environment: 'production', coverage: { from: at(-60), to: at(1) } },
    ]);
  });

  test('names the gaps of the day', async () => {
    const watch = await make();
    await checkedTo(store(), at(60), stretch(at(5), at(30)));
    const { production } = await write(watch, '2026-05-05', at(61));
    expect(production?.gaps.map(({ from, to }) => ({ from, to }))).toEqual([{ from: at(5), to: at(30) }]);
  });

  test('reports of an environment that the watch covers since today only what came after', async () => {
    const watch = await make({ filter: { ...EVERYTHING, environments: ['staging'] } });
    await recordFailures(store(), at(1), [failureOf('a')]);
    const change = { settings: UNFILTERED, was: settingsKey(watch.settings), by: 'UANN' };
    await store().watches.changeWatch(watch.id, change, at(5));
    const { production } = await write({ ...watch, settings: UNFILTERED }, '2026-05-05', at(10));
    expect(production).toMatchObject({ eventsChecked: 0, failedEvents: 0, largest: [] });
  });

  test('is next due a day later when it is switched on after its time of day', async () => {
    const watch = await make({ summaryAt: null });
    const settings = { ...UNFILTERED, summaryAt: 9 * 60, timeZone: 'UTC' };
    const change = { settings, was: settingsKey(watch.settings), by: 'UANN' };
    await store().watches.changeWatch(watch.id, change, at(26 * 60));
    const [changed] = await store().alerting.lastSummaries();
    if (changed === undefined) throw new Error('no watch');
    expect(summaryDue(changed.watch, changed.lastDay, at(26 * 60))).toBeNull();
    expect(summaryDue(changed.watch, changed.lastDay, at(50 * 60))).not.toBeNull();
  });

  test('starts over when it is switched on again', async () => {
    const watch = await make({ summaryAt: null });
    await recordFailures(store(), at(1), [failureOf('a')]);
    const change = { settings: UNFILTERED, was: settingsKey(watch.settings), by: 'UANN' };
    await store().watches.changeWatch(watch.id, change, at(5));
    const { range, production } = await write(watch, '2026-05-05', at(10));
    expect(range).toEqual({ from: at(5), to: at(10) });
    expect(production).toMatchObject({ eventsChecked: 0, failedEvents: 0, largest: [] });
  });
});
