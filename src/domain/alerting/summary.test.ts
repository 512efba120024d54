import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GroupTally } from '../failures/failure.ts';
import { ALL_FAILURES } from '../failures/failure-filter.ts';
import type { Gap } from '../polling/gap.ts';
import { EVERYTHING, UNFILTERED } from '../watches/watch.ts';
import type { EnvironmentSummary, SummaryContent } from './delivery.ts';
import {
  type CheckedEnvironment,
  delayedBy,
  isUpToDate,
  type SummedIncident,
  summaryDue,
  summaryEnd,
  summaryHeadline,
  sumUp,
  uncheckedTime,
} from './summary.ts';

const at = (text: string) => new Date(text);
const WATCH = { createdAt: at('2026-11-18T12:00:00Z'), settings: { ...UNFILTERED, timeZone: 'Europe/Berlin' } };

describe('summaryDue', () => {
  test.each([
    ['before its time', '2026-11-20', '2026-11-21T07:59:59Z', null],
    ['at its time', '2026-11-20', '2026-11-21T08:00:00Z', '2026-11-21'],
    ['once a day', '2026-11-21', '2026-11-21T20:00:00Z', null],
    ['late, after an hour in which nothing ran', '2026-11-20', '2026-11-21T09:10:00Z', '2026-11-21'],
    ['once for several days in which nothing ran', '2026-11-18', '2026-11-21T10:00:00Z', '2026-11-21'],
    ['for the day before, when nothing ran until midnight', '2026-11-20', '2026-11-22T00:30:00Z', '2026-11-21'],
    ['the first time on the day after it was made', null, '2026-11-18T20:00:00Z', null],
    ['the first time', null, '2026-11-19T08:00:00Z', '2026-11-19'],
  ])('is due or not: %s', (_when, lastDay, now, day) => {
    expect(summaryDue(WATCH, lastDay, at(now))).toBe(day);
  });

  test('is due from the day after for a watch that was made at that very time of day', () => {
    const watch = { ...WATCH, createdAt: at('2026-11-18T08:00:00Z') };
    expect(summaryDue(watch, null, at('2026-11-18T20:00:00Z'))).toBeNull();
    expect(summaryDue(watch, null, at('2026-11-19T08:00:00Z'))).toBe('2026-11-19');
  });

  test('is never due for a watch that wants none', () => {
    const watch = { ...WATCH, settings: { ...WATCH.settings, summaryAt: null } };
    expect(summaryDue(watch, null, at('2026-11-21T08:00:00Z'))).toBeNull();
  });

  test('is due once for each day of a year, however often it is checked', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Nuuk', 'Africa/Casablanca'];
    // The shortest local day has 23 hours, so less frequent checks might miss one.
    const stepMinutes = fc.integer({ min: 90, max: 23 * 60 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1439 }),
        stepMinutes,
        (timeZone, summaryAt, step) => {
          const watch = { createdAt: at('2026-01-01T00:00:00Z'), settings: { ...UNFILTERED, timeZone, summaryAt } };
          const days: string[] = [];
          for (let now = watch.createdAt.getTime(); now < at('2027-01-03T00:00:00Z').getTime(); now += step * 60_000) {
            const day = summaryDue(watch, days.at(-1) ?? null, new Date(now));
            if (day !== null) days.push(day);
          }
          expect(new Set(days).size).toBe(days.length);
          expect(days.filter((day) => day.startsWith('2026-')).length).toBeGreaterThanOrEqual(364);
          expect(days).toEqual(days.toSorted());
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('a summary that is due', () => {
  const MOMENT = { from: at('2026-11-20T08:00:00Z'), now: at('2026-11-21T08:00:00Z'), pollMs: 60_000 };
  const minutesAgo = (minutes: number) => new Date(MOMENT.now.getTime() - minutes * 60_000);
  const polled = (ago: number) => ({
    coverage: { from: at('2026-11-01T00:00:00Z'), to: minutesAgo(ago) },
    lastSuccessAt: minutesAgo(ago),
  });
  const checked = (change: Partial<CheckedEnvironment> = {}): CheckedEnvironment => ({
    environment: 'production',
    ...polled(1),
    isCatchingUp: false,
    announcedAt: minutesAgo(1),
    behindMs: 0,
    ...change,
  });
  const neverPolled = checked({ coverage: null, lastSuccessAt: null, announcedAt: null });

  test.for<[what: string, environment: CheckedEnvironment, isUpToDate: boolean]>([
    ["doesn't wait for an environment that is polled and announced in time", checked(), true],
    ['waits for what was missed', checked({ isCatchingUp: true }), false],
    ['waits for the first poll', neverPolled, false],
    ["waits for a first poll's end", checked({ coverage: null }), false],
    ['waits for the first poll after a downtime', checked(polled(180)), false],
    [
      'waits for a poll that reads what came after the last summary',
      checked({ coverage: { from: at('2026-11-01T00:00:00Z'), to: MOMENT.from } }),
      false,
    ],
    ['waits until what was read is announced', checked({ announcedAt: minutesAgo(180) }), false],
    ['waits until anything is announced', checked({ announcedAt: null }), false],
  ])('%s', ([, environment, isReady]) => {
    expect(isUpToDate(environment, MOMENT)).toBe(isReady);
  });

  test.for<[what: string, environment: CheckedEnvironment, delayed: 'not-announced' | 'late' | null]>([
    ['nothing of what is polled and announced in time', checked(), null],
    ['alerts that were not written lately', checked({ announcedAt: minutesAgo(180) }), 'not-announced'],
    ['late failures that are looked for too late', checked({ behindMs: 600_000 }), 'late'],
    ['alerts first', checked({ announcedAt: null, behindMs: 600_000 }), 'not-announced'],
    ['nothing before the first poll, when nothing is known', neverPolled, null],
  ])('names as delayed %s', ([, environment, delayed]) => {
    expect(delayedBy(environment, MOMENT)).toBe(delayed);
  });

  test('ends with the last poll, of several environments the earliest', () => {
    expect(summaryEnd([checked()], MOMENT)).toEqual(minutesAgo(1));
    expect(summaryEnd([checked(), checked(polled(2)), checked()], MOMENT)).toEqual(minutesAgo(2));
  });

  test("ends now, or with the others' polls, for an environment that isn't polled in time", () => {
    const silent = [checked(polled(180)), neverPolled, checked({ coverage: null })];
    expect(summaryEnd([...silent, checked()], MOMENT)).toEqual(minutesAgo(1));
    expect(summaryEnd(silent, MOMENT)).toEqual(MOMENT.now);
    expect(summaryEnd([], MOMENT)).toEqual(MOMENT.now);
  });

  test('never ends later than now, whatever clock an environment was polled by', () => {
    expect(summaryEnd([checked(polled(-5))], MOMENT)).toEqual(MOMENT.now);
  });
});

describe('sumUp', () => {
  const incident = (
    episodeId: number,
    change: Partial<SummedIncident> & { channel?: string; failures?: number } = {},
  ) => {
    const { channel = 'email', failures = 1, ...rest } = change;
    return {
      episodeId,
      tally: aTally(channel, failures),
      parts: [
        {
          environment: 'production',
          workflow: 'order-shipped',
          workflowName: null,
          channel,
          provider: null,
          severities: [],
          verdicts: ['failed' as const],
          topics: [],
          contexts: [],
          tags: [],
          subscribers: [],
        },
      ],
      state: 'firing' as const,
      isAlerted: true,
      ...rest,
    };
  };

  test('counts incidents by what they do now', () => {
    const incidents = [incident(1), incident(2, { state: 'quiet' }), incident(3, { state: 'resolved' }), incident(4)];
    expect(sumUp(incidents, UNFILTERED).incidents).toEqual({ failing: 2, quiet: 1, recovered: 1 });
    expect(sumUp([...incidents, incident(5, { state: 'recovering' })], UNFILTERED).incidents.recovered).toBe(2);
  });

  test('counts what is open by severity, with what is recovering, and without what is resolved', () => {
    const critical = { ...aTally('email', 1), critical: true };
    const incidents = [
      incident(1),
      incident(2, { tally: critical }),
      incident(3, { tally: critical, state: 'recovering' }),
      incident(4, { state: 'quiet' }),
      incident(6, { tally: critical }),
      incident(5, { tally: { ...aTally('email', 1), severity: 'high' }, state: 'resolved' }),
    ];
    expect(sumUp(incidents, UNFILTERED).open).toEqual([
      { severity: 'critical', failing: 2, quiet: 1 },
      { severity: 'other', failing: 1, quiet: 1 },
    ]);
  });

  test("leaves out what the watch doesn't cover", () => {
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, channels: ['sms'] } };
    const sums = sumUp([incident(1), incident(2, { channel: 'sms' })], settings);
    expect(sums.incidents.failing).toBe(1);
    expect(sums.largest).toEqual([2]);
  });

  test('includes what the watch covers in part', () => {
    const [part] = incident(1).parts;
    const parts = part === undefined ? [] : [part, { ...part, workflow: 'welcome' }];
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, workflows: ['welcome'] } };
    expect(sumUp([incident(1, { parts })], settings).incidents.failing).toBe(1);
  });

  test('names the five largest, the largest first', () => {
    const incidents = [1, 2, 3, 4, 5, 6].map((failures) => incident(failures, { failures }));
    expect(sumUp(incidents, UNFILTERED).largest).toEqual([6, 5, 4, 3, 2]);
  });

  test('counts what stayed below the threshold, if there is one', () => {
    const incidents = [incident(1), incident(2, { isAlerted: false }), incident(3, { isAlerted: false })];
    const threshold = { failures: 5, withinMs: 600_000, rate: null };
    expect(sumUp(incidents, { ...UNFILTERED, threshold }).belowThreshold).toBe(2);
    expect(sumUp(incidents, UNFILTERED).belowThreshold).toBe(0);
  });
});

const RANGE = { from: at('2026-11-20T08:00:00Z'), to: at('2026-11-21T08:00:00Z') };

function anEnvironment(change: Partial<EnvironmentSummary> = {}): EnvironmentSummary {
  return {
    ...{ environment: 'production', eventsChecked: 10, unreadable: 0, failedEvents: 0, counted: {} },
    ...{ incidents: { failing: 0, quiet: 0, recovered: 0 }, open: [], belowThreshold: 0, largest: [] },
    ...{ coverage: { from: at('2026-11-01T00:00:00Z'), to: RANGE.to }, delayed: null, gaps: [] },
    ...change,
  };
}

function aGap(change: Partial<Gap>): Gap {
  const [from, to] = [at('2026-11-20T10:00:00Z'), at('2026-11-20T11:00:00Z')];
  const found = { unchecked: [], givenUp: [], events: 0, failures: 0 };
  return {
    id: 'gap-1',
    environment: 'production',
    from,
    to,
    cause: 'not-running',
    openedAt: to,
    closedAt: null,
    ...found,
    ...change,
  };
}

describe("a summary's headline", () => {
  const headline = (environments: readonly EnvironmentSummary[], change: Partial<SummaryContent> = {}) =>
    summaryHeadline({
      ...{ kind: 'summary', id: 'summary-1', channel: 'C1', range: RANGE, timeZone: 'UTC', filter: ALL_FAILURES },
      mutes: { mutes: [], mutedIncidents: 0 },
      pending: { messages: 0, oldestAgeMs: 0, isOnlyChannels: false },
      environments,
      ...change,
    });

  test('has no point if nothing is open and everything was checked', () => {
    expect(headline([anEnvironment(), anEnvironment({ environment: 'staging' })])).toEqual([]);
  });

  test('adds up what is open over all environments', () => {
    const production = anEnvironment({ open: [{ severity: 'high', failing: 2, quiet: 1 }] });
    const staging = anEnvironment({
      open: [
        { severity: 'critical', failing: 1, quiet: 0 },
        { severity: 'high', failing: 3, quiet: 4 },
      ],
    });
    expect(headline([production, staging])).toEqual([
      {
        point: 'failing',
        incidents: 6,
        bySeverity: [
          { severity: 'critical', incidents: 1 },
          { severity: 'high', incidents: 5 },
        ],
      },
      { point: 'quiet', incidents: 5 },
    ]);
  });

  test('says of each environment why failures may be missing', () => {
    const environments = [
      anEnvironment({ environment: 'late', delayed: 'late' }),
      anEnvironment({ environment: 'new', coverage: null }),
      anEnvironment({ environment: 'odd', unreadable: 7 }),
      anEnvironment({ environment: 'fine' }),
    ];
    expect(headline(environments)).toEqual([
      {
        point: 'unchecked',
        reasons: [
          { is: 'reading', environment: 'late', condition: 'late' },
          { is: 'windows', environment: 'new', windows: [RANGE] },
          { is: 'unreadable', environment: 'odd', events: 7 },
        ],
      },
    ]);
  });

  test("says that the watch's environments aren't configured anymore", () => {
    expect(headline([])).toEqual([{ point: 'unchecked', reasons: [{ is: 'no-environment' }] }]);
  });

  test('says what is muted and what Slack has not accepted yet', () => {
    const pending = { messages: 3, oldestAgeMs: 60_000, isOnlyChannels: false };
    expect(headline([anEnvironment()], { mutes: { mutes: [], mutedIncidents: 2 }, pending })).toEqual([
      { point: 'muted', channels: [], incidents: 2 },
      { point: 'pending', ...pending },
    ]);
  });
});

describe('the unchecked time of a summary', () => {
  const window = (from: string, to: string) => ({ from: at(from), to: at(to) });

  test('is all of it before the first poll', () => {
    expect(uncheckedTime(anEnvironment({ coverage: null }), RANGE)).toEqual([RANGE]);
  });

  test("is what comes before the first poll's hour, and after the last poll", () => {
    const coverage = window('2026-11-20T12:00:00Z', '2026-11-21T07:00:00Z');
    expect(uncheckedTime(anEnvironment({ coverage }), RANGE)).toEqual([
      window('2026-11-20T08:00:00Z', '2026-11-20T12:00:00Z'),
      window('2026-11-21T07:00:00Z', '2026-11-21T08:00:00Z'),
    ]);
  });

  test('is what gaps leave unchecked, also from before the previous summary', () => {
    const before = aGap({ unchecked: [window('2026-11-18T01:00:00Z', '2026-11-18T02:00:00Z')] });
    const givenUp = aGap({ givenUp: [window('2026-11-20T10:00:00Z', '2026-11-20T10:30:00Z')] });
    expect(uncheckedTime(anEnvironment({ gaps: [givenUp, before, aGap({})] }), RANGE)).toEqual([
      ...before.unchecked,
      ...givenUp.givenUp,
    ]);
  });

  test("is a gap that goes on, up to the summary's end", () => {
    const open = (from: Date) => uncheckedTime(anEnvironment({ gaps: [aGap({ from, to: null })] }), RANGE);
    expect(open(at('2026-11-21T07:30:00Z'))).toEqual([window('2026-11-21T07:30:00Z', '2026-11-21T08:00:00Z')]);
    expect(open(RANGE.to)).toEqual([]);
    expect(open(at('2026-11-21T08:30:00Z'))).toEqual([]);
  });
});

function aTally(channel: string, failures: number): GroupTally {
  const key = `${channel}-${failures}`;
  return {
    group: {
      key,
      environment: 'production',
      workflow: 'order-shipped',
      workflowName: null,
      channel,
      provider: null,
      cause: { text: 'refused', key: 'refused' },
      announcement: 'announced',
      isTest: false,
    },
    verdict: 'failed',
    failures,
    subscribers: failures,
    events: failures,
    firstSeen: at('2026-11-20T12:00:00Z'),
    lastSeen: at('2026-11-20T12:01:00Z'),
    severity: null,
    critical: false,
    example: { eventId: null, transactionId: 'txn_1', subscriberId: null },
  };
}
