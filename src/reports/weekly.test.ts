import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import { at, checkedTo } from '../store/examples.testing.ts';
import { prune } from '../store/prune.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { createSummarizer } from './summarizer.ts';
import { median, targetKept } from './week.ts';
import { daysIn, type WeeklyContent } from './weekly.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** The night begins on Monday, 2026-05-04, at 12:00 UTC. */
describeNight('The weekly summary', (night, store) => {
  const summarize = async (minutes: number): Promise<readonly WeeklyContent[]> => {
    night.minutes = minutes;
    await checkedTo(store(), night.now());
    const ctx = { ...night.ctx, environments: [anEnvironment()], wakeOutbox: () => night.deliver() };
    await createSummarizer(ctx)(new AbortController().signal);
    return night.channel.posted.flatMap((content) => (content.kind === 'weekly' ? [content] : []));
  };

  test('has the outbreaks of a week, how long they took, and what nobody looked at, once on its day', async () => {
    await night.watch({ summaryAt: 9 * HOUR, summaryDay: 2, target: 0.9 });
    await summarize(21 * HOUR);
    night.minutes = DAY;
    await night.succeed(18);
    await night.poll(
      ...night.many(2),
      night.refused(9, { channel: 'sms', provider: 'twilio', verdict: 'undeliverable' }),
    );
    night.minutes = DAY + 10;
    await night.does(1, { what: 'acknowledged' });
    night.minutes = 3 * DAY;
    await night.succeed(1);
    await night.poll(night.refused(10, { channel: 'sms', provider: 'twilio' }));
    expect(await summarize(21 * HOUR + 7 * DAY - 1)).toHaveLength(1);
    const [, weekly] = await summarize(21 * HOUR + 7 * DAY);
    expect(await summarize(22 * HOUR + 7 * DAY)).toHaveLength(2);
    expect(weekly?.range).toEqual({ from: at(21 * HOUR), to: at(21 * HOUR + 7 * DAY) });
    // 19 were delivered and 3 failed: 2 of 20 on the first day, 1 of 2 on the other. What was undeliverable counts as neither.
    expect(weekly?.environments).toMatchObject([
      {
        environment: 'production',
        incidents: 2,
        acknowledgedMs: 600_000,
        notLookedAt: 1,
        attempts: 22,
        failed: 3,
        workflows: [{ workflow: 'order-shipped', attempts: 22, failed: 3 }],
        target: { share: 0.9, daysKept: 1, days: 2 },
      },
    ]);
  });

  test('compares with the week before only where that was checked in full, with what was delivered in it', async () => {
    await night.watch({ summaryAt: 9 * HOUR, summaryDay: 2 });
    const weeks = [7, 14].map((days) => 21 * HOUR + days * DAY);
    for (const minutes of weeks) {
      night.minutes = minutes - 6 * DAY;
      await night.succeed(3);
      await night.poll(night.refused(minutes));
      night.minutes = minutes;
      await prune({ ...store(), retentionDays: 30, horizonMs: 3 * DAY_MS, now: night.now });
      await summarize(minutes);
    }
    const all = await summarize(weeks.at(-1) ?? 0);
    expect(all.flatMap(({ environments }) => environments.map((week) => week.incidentsBefore))).toEqual([null, 1]);
    const counted = { attempts: 4, failed: 1 };
    expect(all.at(-1)?.environments[0]?.workflows).toMatchObject([{ ...counted, before: counted }]);
  });
});

test('a day of a summary begins at its time of the day, also where the clock changes', () => {
  const settings = { ...USUAL_SETTINGS, summaryAt: 9 * HOUR, summaryDay: 1, timeZone: 'Europe/Berlin' };
  const range = { from: new Date('2026-10-19T07:00:00Z'), to: new Date('2026-10-26T08:00:00Z') };
  const days = daysIn(range, settings);
  expect(days).toHaveLength(7);
  expect(days.at(-1)).toEqual({ from: new Date('2026-10-25T08:00:00Z'), to: range.to });
});

test('a median is of what is known, and of an even number half way between', () => {
  expect([[], [null], [3], [9, null, 1], [4, 1, 2, 10]].map(median)).toEqual([null, null, 3, 5, 3]);
});

test('a target is kept by the share of attempts of each day that has any', () => {
  const day = (failed: number, delivered: number) => ({ failed, delivered });
  expect(targetKept(0.9, [day(1, 9), day(2, 8), day(0, 0)])).toEqual({ share: 0.9, daysKept: 1, days: 2 });
});
