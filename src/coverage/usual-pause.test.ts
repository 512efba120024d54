import { expect, test } from 'vitest';
import { createRandom } from '../../sandbox/service/random.ts';
import { LEAST_MINUTES, usualPause, within } from './usual-pause.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2026, 4, 4) / 60_000;
const END = MONDAY + 28 * DAY;

/** The traffic at a local time, in relation to a weekday's busiest hour. */
const SHAPES = {
  steady: () => 1,
  // From 6 to 24 o'clock, and hardly at night.
  people: (hour: number, isWeekend: boolean) =>
    (0.08 + Math.max(0, Math.sin(((hour - 6) / 18) * Math.PI))) * (isWeekend ? 0.7 : 1),
  office: (hour: number, isWeekend: boolean) => {
    if (isWeekend || hour < 8 || hour > 18) return 0;
    const isLunch = hour > 12 && hour < 13;
    return isLunch ? 0.5 : 1;
  },
  hourly: (hour: number) => (hour % 1 < 0.1 ? 10 : 0),
};
const KINDS = ['steady', 'people', 'office', 'hourly'] as const;

interface Workflow {
  kind: (typeof KINDS)[number];
  /** Events in a weekday's busiest hour, or about so many. */
  anHour: number;
  /** Those with events. */
  minutes: number[];
}

/** Four weeks of twenty workflows. Days differ, a weekday is a holiday, and a deploy a week stops all for minutes and some for longer. */
function environment(random: () => number): Workflow[] {
  // Around 1, by a log-normal distribution.
  const spread = (factor: number) =>
    Math.exp(factor * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  // For the local days of four weeks, which begin up to a day earlier.
  const byDay = (factor: number) => Array.from({ length: 32 }, () => spread(factor));
  const zone = Math.floor(random() * 24 - 12) * HOUR;
  const holiday = 7 * Math.floor(1 + random() * 3) + Math.floor(random() * 5);
  const officeShare = random() * 0.7;
  const trafficOfAll = byDay(0.1);
  const deploys = [0, 1, 2, 3].map((week) => MONDAY + (week + random()) * 7 * DAY);
  return Array.from({ length: 20 }, () => {
    const kind = random() < officeShare ? 'office' : (KINDS[Math.floor(random() * 4)] ?? 'steady');
    // From 0.1 to 160.
    const anHour = 10 ** (random() * 3.2 - 1);
    const traffic = byDay(0.25);
    const delays = byDay(0.2);
    const onHoliday = kind === 'office' ? 0.03 * random() : 0.4 + 0.7 * random();
    const downtime = random() < 0.3 ? 25 : 2 + 8 * random();
    const minutes: number[] = [];
    for (let minute = MONDAY; minute < END; minute += 1) {
      const local = minute - MONDAY + zone;
      const day = Math.floor(local / DAY);
      const at = local - day * DAY - HOUR * ((delays[day + 1] ?? 1) - 1);
      const isWeekend = (day + 7) % 7 > 4;
      const usual = SHAPES[kind](at / HOUR, isWeekend) * (traffic[day + 1] ?? 1) * (trafficOfAll[day + 1] ?? 1);
      const rate = (anHour / 60) * usual * (day === holiday ? onHoliday : 1);
      if (deploys.some((deploy) => minute >= deploy && minute < deploy + downtime)) continue;
      if (rate > 0 && random() < 1 - Math.exp(-rate)) minutes.push(minute);
    }
    return { kind, anHour, minutes };
  });
}

function usualAt(minutes: readonly number[], others: readonly Workflow[], since: number, until: number) {
  // Where the days that are most alike have no event at about this time, no pause is usual: that spares the comparison.
  const near = (day: number) => within(minutes, until - day * DAY - 30, until - day * DAY + 30).length > 0;
  if (!(until - 8 * DAY > MONDAY ? [7, 14, 21, 28] : [1, 2, 3]).some(near)) return null;
  return usualPause({ since, until, coveredFrom: MONDAY }, minutes, async (from) => {
    const week = from - 7 * DAY >= MONDAY ? 7 * DAY : DAY;
    return others.map(({ minutes: its }) => ({
      now: within(its, from, until).length,
      usual: within(its, from - week, until - week).length,
      before: within(its, Math.max(since + 1, from - DAY / 2), from).length,
    }));
  });
}

type Span = Record<'since' | 'to' | 'step', number>;

/** Returns after how many minutes of the pause a silence is posted, and which pause was usual then. */
async function postAt(minutes: readonly number[], others: readonly Workflow[], { since, to, step }: Span) {
  for (let until = since + LEAST_MINUTES; until <= Math.min(to, END, since + 4 * DAY); until += step) {
    const usual = await usualAt(minutes, others, since, until);
    if (usual !== null) return { after: until - since, usual };
  }
  return null;
}

test('Sixty workflows of all kinds raise at most one false alarm a month, and most that stop raise one within about three usual pauses', async () => {
  const random = createRandom(1).next;
  let falseAlarms = 0;
  const stopped: (number | null)[] = [];
  for (const workflows of Array.from({ length: 3 }, () => environment(random))) {
    for (const workflow of workflows) {
      const others = workflows.filter((other) => other !== workflow);
      for (const [place, since] of workflow.minutes.entries()) {
        const to = workflow.minutes[place + 1] ?? END;
        if (to - since > LEAST_MINUTES && (await postAt(workflow.minutes, others, { since, to, step: 10 })))
          falseAlarms += 1;
      }
      const stop = MONDAY + (7 + 17 * random()) * DAY;
      const minutes = workflow.minutes.filter((minute) => minute < stop);
      const since = minutes.at(-1) ?? END;
      const post = await postAt(minutes, others, { since, to: since + 4 * DAY, step: 5 });
      const usualPauses = [1, 2, 3, 4, 5, 6, 7, 14].flatMap((day) => {
        const [from, to] = [since - 2 * HOUR, since + (post?.after ?? 0) + 2 * HOUR].map(
          (minute) => minute - day * DAY,
        );
        const usual = within(workflow.minutes, from ?? 0, to ?? 0);
        return usual.slice(1).map((minute, index) => minute - (usual[index] ?? minute));
      });
      if (workflow.anHour >= 5)
        stopped.push(post && post.after / Math.max(LEAST_MINUTES / 3, post.usual, ...usualPauses));
    }
  }
  expect(falseAlarms).toBeLessThanOrEqual(1);
  const share = (isSo: (pauses: number | null) => boolean) => stopped.filter(isSo).length / stopped.length;
  expect(share((pauses) => pauses !== null)).toBeGreaterThan(0.85);
  expect(share((pauses) => pauses !== null && pauses <= 3.2)).toBeGreaterThan(0.7);
});

test.each([
  { what: 'ends', monday: Date.UTC(2026, 9, 26), opensBefore: 6, opensAfter: 7 },
  { what: 'begins', monday: Date.UTC(2026, 2, 30), opensBefore: 7, opensAfter: 6 },
])(
  'An office that follows the clock isn’t silent on the Monday after summer time $what',
  async ({ monday, opensBefore, opensAfter }) => {
    const start = monday / 60_000;
    const hours = (day: number, from: number) =>
      Array.from({ length: 10 * HOUR }, (__, minute) => start + day * DAY + from * HOUR + minute);
    const weekdays = Array.from({ length: 27 }, (__, n) => n - 27).filter((day) => ![5, 6].includes((day + 28) % 7));
    const minutes = weekdays.flatMap((day) => hours(day, opensBefore));
    const quiet = { since: minutes.at(-1) ?? start, coveredFrom: start - 28 * DAY };
    const others = async () => [{ now: 60, usual: 60, before: 60 }];
    const silentAt = async (hour: number) =>
      (await usualPause({ ...quiet, until: start + hour * HOUR }, minutes, others)) !== null;
    expect(await silentAt(Math.max(opensBefore, opensAfter))).toBe(false);
    expect(await silentAt(Math.max(opensBefore, opensAfter) + 3)).toBe(true);
  },
);
