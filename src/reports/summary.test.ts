import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { Db } from '../store/db.ts';
import { at, checkedTo, failureOf, openedEnvironment, recordFailures, stretch } from '../store/examples.testing.ts';
import { dbWith } from '../store/store.testing.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchSettings } from '../watches/settings.ts';
import { watchCtx } from '../watches/watches.testing.ts';
import { changeWatch } from '../watches/watches.ts';
import { createSummarizer } from './summarizer.ts';
import type { SummaryContent } from './summary.ts';

const NINE = 21 * 60;
const DAY = 24 * 60;

describeNight('The daily summary', (night, store) => {
  const summarizer = (environments = [anEnvironment()], db: Db = store().db) =>
    createSummarizer({ ...night.ctx, db, environments, wakeOutbox: () => night.deliver() });
  const watch = (settings: Partial<WatchSettings> = {}) =>
    night.watch({ summaryAt: USUAL_SETTINGS.summaryAt, ...settings });
  const summaries = () =>
    night.channel.posted.flatMap((content): SummaryContent[] => (content.kind === 'summary' ? [content] : []));
  /** Writes what is due once everything is read up to a time. Returns the number of summaries. */
  const write = async (minutes: number, db?: Db) => {
    night.minutes = minutes;
    await checkedTo(store(), night.now());
    return posted(summarizer(undefined, db));
  };
  const posted = async (summarize: ReturnType<typeof summarizer>) => {
    const before = summaries().length;
    await summarize(new AbortController().signal);
    return summaries().length - before;
  };

  test('has what was read and failed since the watch was made, and then since the last one', async () => {
    await watch();
    const unannounced = failureOf('c', { verdict: 'undeliverable' });
    await recordFailures(store(), at(1), [failureOf('a'), failureOf('b'), unannounced]);
    expect(await write(NINE - 1)).toBe(0);
    expect(await write(NINE)).toBe(1);
    await recordFailures(store(), at(NINE + 1), [failureOf('d')]);
    expect(await write(NINE + 2)).toBe(0);
    expect(await write(NINE + DAY)).toBe(1);
    expect(summaries()).toMatchObject([
      { range: { to: at(NINE) }, environments: [{ environment: 'production', eventsChecked: 3, failedEvents: 2 }] },
      { range: { from: at(NINE), to: at(NINE + DAY) }, environments: [{ eventsChecked: 1, failedEvents: 1 }] },
    ]);
    expect(summaries().map(({ environments }) => environments[0]?.largest.length)).toEqual([2, 1]);
  });

  test('is written once, also by replicas that do so at once', async () => {
    await watch();
    night.minutes = NINE;
    await checkedTo(store(), night.now());
    const atOnce = async (signal: AbortSignal) => {
      await Promise.all([1, 2, 3].map(() => summarizer()(signal)));
    };
    expect(await posted(atOnce)).toBe(1);
    expect(await posted(summarizer())).toBe(0);
  });

  test.each([
    ['an environment that is still being read', at(60), []],
    ['a gap of which nothing was read yet', at(NINE), [stretch(at(5), at(30))]],
  ])('waits ten minutes for %s', async (_, readTo, unread) => {
    await watch();
    await checkedTo(store(), readTo, ...unread);
    const summarize = summarizer();
    const written: number[] = [];
    for (night.minutes of [NINE, NINE + 9, NINE + 10]) written.push(await posted(summarize));
    expect(written).toEqual([0, 0, 1]);
  });

  test('leaves out what the watch does not cover, and names what was not checked', async () => {
    await watch({ filter: { ...EVERYTHING, channels: ['sms'], topics: ['vip'] } });
    await recordFailures(store(), at(1), [
      failureOf('a', { topics: ['vip'] }),
      failureOf('b', { channel: 'sms', topics: ['VIP'] }),
      failureOf('c', { channel: 'sms', verdict: 'undeliverable' }),
    ]);
    const missing = [{ from: at(5), to: at(30) }];
    const windows = missing.map((window) => ({ ...window, tries: 1, nextTryAt: at(60) }));
    await checkedTo(store(), at(60), stretch(at(5), at(30), { windows }));
    await write(NINE);
    const [production] = summaries()[0]?.environments ?? [];
    expect(production).toMatchObject({ open: { firing: 1 }, resolved: 0, missing });
    expect(production?.largest.map(({ cause }) => cause.text)).toEqual(['b']);
  });

  test('is about the configured environments, also one that was never read, and no longer about others', async () => {
    await watch();
    await openedEnvironment(store(), 'retired');
    night.minutes = NINE;
    const summarize = summarizer(['staging', 'production'].map((name) => anEnvironment({ name })));
    await summarize(new AbortController().signal);
    night.minutes = NINE + 10;
    await summarize(new AbortController().signal);
    expect(summaries()[0]?.environments).toMatchObject([
      { environment: 'staging', missing: [{ to: at(NINE + 10) }], eventsChecked: 0 },
      { environment: 'production', missing: [{ to: at(NINE + 10) }] },
    ]);
  });

  test('lists the five largest incidents', async () => {
    await watch();
    const failed = (cause: string, events: number) =>
      Array.from({ length: events }, (_, place) => failureOf(cause, { eventKey: `${cause}-${place}` }));
    const critical = failureOf('g', { critical: true });
    await recordFailures(store(), at(1), [...['a', 'b', 'c', 'd', 'e', 'f'].flatMap(failed), critical]);
    await write(NINE);
    const causes = summaries()[0]?.environments[0]?.largest.map(({ cause }) => cause.text);
    expect(causes).toEqual(['g', 'f', 'e', 'd', 'c']);
  });

  test.each([EVERYTHING, { ...EVERYTHING, workflows: ['order-shipped'] }])(
    'lists first what failed most on that day, also if it recovered and failed again (%#)',
    async (filter) => {
      await watch({ filter });
      await night.poll(...night.many(3), ...night.many(2, { provider: 'ses', from: 3 }));
      await night.recover();
      night.minutes += 1;
      await night.poll(night.refused(5));
      await write(NINE);
      expect(summaries()[0]?.environments[0]?.largest.map(({ id }) => id)).toEqual([1, 2]);
    },
  );

  test('is written also where that of another watch fails', async () => {
    await watch();
    await night.watch({ summaryAt: USUAL_SETTINGS.summaryAt }, 'C0OTHERS');
    const errors = [new Error('torn')];
    const transaction: Db['transaction'] = async (work) => {
      const [error] = errors.splice(0);
      if (error !== undefined) throw error;
      return store().db.transaction(work);
    };
    await expect(write(NINE, dbWith(store().db, { transaction }))).rejects.toThrow('1 failed');
    await night.deliver();
    expect(summaries()).toHaveLength(1);
  });

  test('comes once more where its time is moved later on its day, of what was since', async () => {
    const { id, settings } = await watch();
    await write(NINE);
    const later = { settings: { ...settings, summaryAt: 10 * 60 }, actor: 'U0ANN' };
    await changeWatch(watchCtx(store().db, at(NINE + 30)), id, later);
    expect([await write(NINE + 59), await write(NINE + 60), await write(NINE + 61)]).toEqual([0, 1, 0]);
    expect(summaries().at(-1)).toMatchObject({ range: { from: at(NINE), to: at(NINE + 60) } });
  });

  test('begins when it is switched on, and is due a day later if its time of day is over', async () => {
    const { id, settings } = await watch({ summaryAt: null });
    await recordFailures(store(), at(1), [failureOf('a')]);
    const on = { settings: { ...settings, summaryAt: 9 * 60 }, actor: 'U0ANN' };
    await changeWatch(watchCtx(store().db, at(NINE + 60)), id, on);
    expect(await write(NINE + 61)).toBe(0);
    expect(await write(NINE + DAY)).toBe(1);
    expect(summaries()).toMatchObject([{ range: { from: at(NINE + 60) }, environments: [{ failedEvents: 0 }] }]);
  });

  test('ends with the last minute that was checked whole', async () => {
    await watch({ summaryAt: 12 * 60 + 5, timeZone: 'UTC' });
    night.minutes = 6.5;
    await night.poll();
    night.minutes = 7.5;
    await summarizer()(new AbortController().signal);
    expect(summaries()).toMatchObject([{ range: { to: at(6) } }]);
  });
});
