import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../watches/watch.ts';
import { aCandidate, NOON } from './alert-decision.testing.ts';
import type { FilteredBy, PastEpisode, RecordedFailures } from './past-episode.ts';
import { joinedPreviews, mostInAnHour, previewOf } from './preview.ts';
import { isReached, RunningSums } from './threshold.ts';

const MINUTE = 60_000;
const at = (minute: number) => new Date(NOON.getTime() + minute * MINUTE);
const RANGE = { from: at(0), to: at(24 * 60) };

const NOTHING_SHOWN: FilteredBy = { severities: [], verdicts: [], topics: [], contexts: [], tags: [], subscribers: [] };

/** Returns failures of the first group that were recorded in the minute in which they occurred. */
function recorded(minute: number, failures: number, changes: Partial<RecordedFailures> = {}): RecordedFailures {
  const time = at(minute).getTime() / MINUTE;
  return { at: time, minute: time, group: 0, failures, isCritical: false, shown: NOTHING_SHOWN, ...changes };
}

/**
 * Returns an episode with this many failures recorded in each of some minutes. Its incident ends five minutes after the last failure before
 * each relapse and, if it is over, after the last one of all.
 */
function episode(
  failures: readonly (readonly [minute: number, failures: number])[],
  { isOver = true, ...changes }: Partial<PastEpisode> & { readonly isOver?: boolean } = {},
): PastEpisode {
  const all = changes.recorded ?? failures.map(([minute, count]) => recorded(minute, count));
  const relapsedAt = changes.relapsedAt ?? [];
  const ends = [...relapsedAt.map(Number), ...(isOver ? [Number.POSITIVE_INFINITY] : [])].flatMap((end) => {
    const before = all.filter((one) => one.at * MINUTE < end).map(({ minute }) => minute * MINUTE);
    return before.length === 0 ? [] : [new Date(Math.max(...before) + 5 * MINUTE)];
  });
  return {
    episodeId: 1,
    incidentKey: 'incident-1',
    beganAs: 'new',
    relapses: 0,
    relapsedAt,
    endedAt: ends,
    groups: [aCandidate().tally.group],
    recorded: all,
    events: new Map(),
    ...changes,
  };
}

const settings = (changes: Partial<WatchSettings> = {}): WatchSettings => ({ ...UNFILTERED, ...changes });

const preview = (given: WatchSettings, episodes: readonly PastEpisode[]) =>
  previewOf(given, episodes, RANGE, async () => {});

const messages = async (episodes: readonly PastEpisode[], changes: Partial<WatchSettings> = {}) =>
  (await preview(settings(changes), episodes)).messages.map(
    (message) =>
      `${(message.at.getTime() - NOON.getTime()) / MINUTE}: ${message.incidents.map(({ reason, failures }) => `${reason} ${failures}`).join(', ')}`,
  );

describe("a watch's preview", () => {
  test('alerts once to what is new, and half an hour later to what has grown tenfold', async () => {
    expect(
      await messages([
        episode([
          [0, 3],
          [1, 5],
          [2, 2],
        ]),
      ]),
    ).toEqual(['0: new 3']);
    expect(
      await messages([
        episode([
          [0, 3],
          [5, 30],
        ]),
      ]),
    ).toEqual(['0: new 3']);
    expect(
      await messages([
        episode(
          [
            [0, 3],
            [5, 30],
            [40, 1],
          ],
          { isOver: false },
        ),
      ]),
    ).toEqual(['0: new 3', '30: grown 33']);
  });

  test("doesn't alert to growth of what had ended before failures that aren't its own", async () => {
    const grown = [
      [0, 3],
      [5, 30],
    ] as const;
    const relapsedSince = { relapses: 1, relapsedAt: [at(60)], isOver: false };
    expect(await messages([episode(grown, relapsedSince)])).toEqual(['0: new 3']);
  });

  test('alerts to growth while it is known to go on: it failed within five minutes, or fails again without having ended', async () => {
    const lastFailed = (minute: number) =>
      messages([
        episode([
          [0, 3],
          [minute, 30],
        ]),
      ]);
    expect(await lastFailed(26)).toEqual(['0: new 3', '30: grown 33']);
    expect(await lastFailed(25)).toEqual(['0: new 3']);
    const failsAgain = [
      [0, 3],
      [5, 30],
      [40, 1],
    ] as const;
    expect(await messages([episode(failsAgain)])).toEqual(['0: new 3', '30: grown 33']);
    const relapsesLater = { relapses: 1, relapsedAt: [at(100)], isOver: false };
    expect(await messages([episode([...failsAgain, [100, 1]], relapsesLater)])).toEqual([
      '0: new 3',
      '30: grown 33',
      '100: relapsed 35',
    ]);
    expect(await messages([episode(failsAgain.slice(0, 2), { isOver: false })])).toEqual(['0: new 3', '30: grown 33']);
  });

  test('alerts to each relapse, and only to that if it had grown before it ended', async () => {
    const relapses = { relapses: 1, relapsedAt: [at(60)], isOver: false };
    expect(
      await messages([
        episode(
          [
            [0, 3],
            [5, 30],
            [60, 1],
          ],
          relapses,
        ),
      ]),
    ).toEqual(['0: new 3', '60: relapsed 34']);
    const twice = { relapses: 2, relapsedAt: [at(6), at(120)], isOver: false };
    expect(
      await messages([
        episode(
          [
            [0, 3],
            [6, 1],
            [120, 2],
          ],
          twice,
        ),
      ]),
    ).toEqual(['0: new 3', '10: relapsed 4', '120: relapsed 6']);
  });

  test('drops an alert that waits if the incident ends meanwhile and fails again in another workflow', async () => {
    const { group } = aCandidate().tally;
    const groups = [
      { ...group, workflow: 'covered' },
      { ...group, workflow: 'other' },
    ];
    const others = [40, 45, 50, 55, 60].map((minute) => recorded(minute, 1, { group: 1 }));
    const own = [recorded(0, 3), recorded(20, 1), recorded(21, 1)];
    const filter = { ...EVERYTHING, workflows: ['covered'] };
    const relapsing = (...minutes: number[]) =>
      episode([], {
        groups,
        recorded: [...own, ...others],
        relapses: minutes.length,
        relapsedAt: minutes.map(at),
        isOver: false,
      });
    expect(await messages([relapsing(20, 40)], { filter, everyMs: 60 * MINUTE })).toEqual(['0: new 3']);
    expect(await messages([relapsing(20)], { filter, everyMs: 60 * MINUTE })).toEqual(['0: new 3', '60: relapsed 5']);
  });

  test('alerts to a relapse that was recorded late', async () => {
    const late = recorded(20, 2, { minute: at(12).getTime() / MINUTE });
    const relapsed = episode([[0, 3]], { relapses: 1, relapsedAt: [at(20)], isOver: false });
    expect(await messages([{ ...relapsed, recorded: [...relapsed.recorded, late] }])).toEqual([
      '0: new 3',
      '20: relapsed 5',
    ]);
  });

  test('alerts to a relapse that is as old as a recovery when its alert is due', async () => {
    const relapsed = { relapses: 1, relapsedAt: [at(5)], isOver: false };
    expect(
      await messages([
        episode(
          [
            [0, 3],
            [5, 1],
          ],
          relapsed,
        ),
      ]),
    ).toEqual(['0: new 3', '10: relapsed 4']);
  });

  test("doesn't alert to a relapse that ended while it waited, and alerts to the next at once", async () => {
    const relapses = { relapses: 2, relapsedAt: [at(5), at(20)], isOver: false };
    expect(
      await messages([
        episode(
          [
            [0, 3],
            [5, 1],
            [20, 2],
          ],
          relapses,
        ),
      ]),
    ).toEqual(['0: new 3', '20: relapsed 6']);
  });

  test('alerts to what is new while something else waits', async () => {
    const relapsed = episode(
      [
        [0, 3],
        [6, 1],
      ],
      { relapses: 1, relapsedAt: [at(6)], isOver: false },
    );
    const other = episode([[6, 2]], { episodeId: 2, incidentKey: 'incident-2' });
    expect(await messages([relapsed, other])).toEqual(['0: new 3', '6: new 2', '10: relapsed 4']);
  });

  test('alerts once to a first critical workflow', async () => {
    const { group } = aCandidate().tally;
    const groups = [group, { ...group, key: 'group-2', workflow: 'password-reset' }];
    const critical = (minute: number) => recorded(minute, 1, { group: 1, isCritical: true });
    const since = (minute: number) => [recorded(0, 3), critical(minute), recorded(60, 1), critical(61)];
    const of = (minute: number): PastEpisode => ({ ...episode([], { groups }), recorded: since(minute) });
    expect(await messages([of(15)])).toEqual(['0: new 3', '15: critical 4']);
    expect(await messages([of(0)])).toEqual(['0: new 4']);
    const filter = { ...EVERYTHING, workflows: ['order-shipped'] };
    expect(await messages([of(15)], { filter })).toEqual(['0: new 3']);
  });

  test('alerts to a relapse ten minutes after the alert at the earliest', async () => {
    const relapsed = episode(
      [
        [0, 3],
        [6, 1],
        [12, 2],
      ],
      { relapses: 1, relapsedAt: [at(6)], isOver: false },
    );
    expect(await messages([relapsed])).toEqual(['0: new 3', '10: relapsed 4']);
  });

  test("doesn't alert to a relapse in a workflow that the watch doesn't cover until one that it covers fails again", async () => {
    const { group } = aCandidate().tally;
    const groups = [group, { ...group, key: 'group-2', workflow: 'newsletter', workflowName: null }];
    const both = (covered: number): PastEpisode => {
      const relapsed = episode(
        [
          [0, 3],
          [120, 1],
          [125, covered],
        ],
        { relapses: 1, relapsedAt: [at(120)], isOver: false, groups },
      );
      const recorded = relapsed.recorded.map((one, index) => ({ ...one, group: index === 1 ? 1 : 0 }));
      return { ...relapsed, recorded: recorded.filter(({ failures }) => failures > 0) };
    };
    const filter = { ...EVERYTHING, workflows: ['order-shipped'] };
    expect(await messages([both(0)], { filter })).toEqual(['0: new 3']);
    expect(await messages([both(2)], { filter })).toEqual(['0: new 3', '125: relapsed 5']);
  });

  test('waits for the minimum interval and for the end of quiet hours', async () => {
    const two = [episode([[0, 3]]), episode([[5, 4]], { episodeId: 2, incidentKey: 'incident-2' })];
    expect(await messages(two, { everyMs: 20 * MINUTE })).toEqual(['0: new 3', '20: new 4']);
    expect(await messages(two, { quiet: { from: 12 * 60, to: 13 * 60 } })).toEqual(['60: new 4, new 3']);
  });

  test('has what quiet hours held with all its failures since, in one message with what fails at their end', async () => {
    const quiet = { from: 12 * 60, to: 13 * 60 };
    const held = episode([
      [0, 3],
      [5, 2],
    ]);
    const new60 = episode([[60, 1]], { episodeId: 2, incidentKey: 'incident-2' });
    expect(await messages([held], { quiet })).toEqual(['60: new 5']);
    expect(await messages([held, new60], { quiet })).toEqual(['60: new 5, new 1']);
  });

  test('tells the order of failures from their times, and of episodes from their IDs', async () => {
    const [early, late] = [episode([[0, 1]], { episodeId: 2, incidentKey: 'incident-2' }), episode([[10, 3]])];
    expect(await messages([late, early])).toEqual(['0: new 1', '10: new 3']);
    const threshold = { failures: 3, withinMs: 10 * MINUTE, rate: null };
    const nextDay = episode([[300, 1]], { episodeId: 2, beganAs: 'goes-on' });
    expect(await messages([nextDay, episode([[0, 3]])], { threshold })).toEqual(['0: new 3', '300: goes-on 1']);
  });

  test('names the largest group that the watch covers', async () => {
    const { group } = aCandidate().tally;
    const groups = [group, { ...group, key: 'group-2', workflow: 'newsletter', workflowName: null }];
    const named = async (first: number, second: number, workflows: readonly string[]) => {
      const both = [recorded(0, first), recorded(0, second, { group: 1 })];
      const filter = { ...EVERYTHING, workflows };
      const { messages } = await preview(settings({ filter }), [{ ...episode([], { groups }), recorded: both }]);
      return messages.flatMap(({ incidents }) => incidents.map(({ group, failures }) => [group.workflow, failures]));
    };
    expect(await named(5, 2, [])).toEqual([['order-shipped', 7]]);
    expect(await named(2, 5, [])).toEqual([['newsletter', 7]]);
    expect(await named(2, 5, ['order-shipped'])).toEqual([['order-shipped', 2]]);
    expect(await named(5, 1, ['newsletter'])).toEqual([['newsletter', 1]]);
  });

  test('covers an incident by all that its failures have shown so far', async () => {
    const shown = (changes: Partial<FilteredBy>): FilteredBy => ({ ...NOTHING_SHOWN, ...changes });
    const showing: PastEpisode = {
      ...episode([]),
      recorded: [
        recorded(0, 1, { shown: shown({ severities: ['low'], verdicts: ['warning'], tags: ['checkout'] }) }),
        recorded(1, 1, { shown: shown({ severities: ['low', 'high'], verdicts: ['failed'], tags: ['checkout'] }) }),
        recorded(2, 1, { shown: shown({ severities: ['high'], verdicts: ['bounced'], tags: ['vip'] }) }),
      ],
    };
    const alertedWith = (filter: Partial<WatchSettings['filter']>) =>
      messages([showing], { filter: { ...EVERYTHING, ...filter } });
    expect(await alertedWith({})).toEqual(['1: new 2']);
    expect(await alertedWith({ verdicts: ['warning'] })).toEqual(['0: new 1']);
    expect(await alertedWith({ verdicts: ['bounced'] })).toEqual(['2: new 3']);
    expect(await alertedWith({ severities: ['high'] })).toEqual(['1: new 2']);
    expect(await alertedWith({ tags: ['checkout'], verdicts: ['bounced'] })).toEqual(['2: new 3']);
    expect(await alertedWith({ tags: ['other'] })).toEqual([]);
  });

  test("leaves out what doesn't match the filter, and counts separately what stays below the threshold", async () => {
    const few = episode([
      [0, 3],
      [30, 3],
    ]);
    const threshold = { failures: 5, withinMs: 10 * MINUTE, rate: null };
    expect(await messages([few], { filter: { ...EVERYTHING, channels: ['sms'] } })).toEqual([]);
    expect(await preview(settings({ threshold }), [few])).toMatchObject({
      messages: [],
      below: [{ episodeId: 1, failures: 6 }],
    });
    expect(
      await messages(
        [
          episode([
            [0, 3],
            [8, 3],
          ]),
        ],
        { threshold },
      ),
    ).toEqual(['8: new 6']);
  });

  test('counts as below the threshold what the watch covers and was never alerted to, nor is going to be', async () => {
    const threshold = { failures: 3, withinMs: 10 * MINUTE, rate: null };
    const sms = { ...aCandidate().tally.group, channel: 'sms' };
    const of = (id: number, minute: number, failures: number, changes: Partial<PastEpisode> = {}) =>
      episode([[minute, failures]], { episodeId: id, incidentKey: `incident-${id}`, ...changes });
    const few = of(1, 0, 2);
    const waitsForLater = of(2, 23 * 60, 3);
    const others = [of(3, 0, 3), of(4, 0, 2, { groups: [sms] })];
    const found = await preview(
      settings({
        ...{ threshold, filter: { ...EVERYTHING, channels: ['email'] } },
        quiet: { from: 10 * 60, to: 12 * 60 + 30 },
      }),
      [few, waitsForLater, ...others],
    );
    expect(found.messages.map(({ incidents }) => incidents.map(({ episodeId }) => episodeId))).toEqual([[3]]);
    expect(found.below.map(({ episodeId }) => episodeId)).toEqual([1]);
    expect((await preview(settings(), [few])).below).toEqual([]);
  });

  test("counts no failures of workflows that it doesn't cover toward the threshold", async () => {
    const { group } = aCandidate().tally;
    const groups = [{ ...group, workflow: 'newsletter', workflowName: null }, group];
    const covered = (failures: number): PastEpisode => ({
      ...episode([], { groups }),
      recorded: [recorded(0, 4), recorded(0, failures, { group: 1 }), recorded(1, 4)],
    });
    const changes = {
      threshold: { failures: 5, withinMs: 10 * MINUTE, rate: null },
      filter: { ...EVERYTHING, workflows: ['order-shipped'] },
    };
    expect(await messages([covered(4)], changes)).toEqual([]);
    expect(await messages([covered(5)], changes)).toEqual(['0: new 5']);
  });

  test('applies the threshold again to what comes back, but not to what continues the next day', async () => {
    const threshold = { failures: 3, withinMs: 10 * MINUTE, rate: null };
    const day = (beganAs: PastEpisode['beganAs'], id: number, minute: number, failures: number) =>
      episode([[minute, failures]], { episodeId: id, beganAs, isOver: false });
    const days = [day('new', 1, 0, 3), day('goes-on', 2, 300, 1), day('relapsed', 3, 600, 1), day('back', 4, 900, 1)];
    expect(await messages(days, { threshold })).toEqual(['0: new 3', '300: goes-on 1', '600: relapsed 1']);
    expect(await messages([day('new', 1, 0, 3), day('new', 2, 300, 1)], { threshold })).toEqual(['0: new 3']);
    expect(await messages([day('goes-on', 2, 300, 1)], { threshold })).toEqual([]);
    expect(await messages([day('new', 1, 0, 1), day('goes-on', 2, 300, 1)], { threshold })).toEqual([]);
  });

  test('applies the rate to the events of the workflow', async () => {
    const of = (events: number) =>
      episode([[0, 6]], { events: new Map([['order-shipped', new RunningSums(new Map([[NOON.getTime(), events]]))]]) });
    const threshold = { failures: 5, withinMs: 10 * MINUTE, rate: 0.5 };
    expect(await messages([of(12)], { threshold })).toEqual(['0: new 6']);
    expect(await messages([of(13)], { threshold })).toEqual([]);
  });

  test('applies the rate to events without a workflow, and to none if a workflow has no known events', async () => {
    const events = new Map([['', new RunningSums(new Map([[NOON.getTime(), 13]]))]]);
    const threshold = { failures: 5, withinMs: 10 * MINUTE, rate: 0.5 };
    const without = { ...aCandidate().tally.group, workflow: null, workflowName: null };
    expect(await messages([episode([[0, 6]], { events, groups: [without] })], { threshold })).toEqual([]);
    expect(await messages([episode([[0, 7]], { events, groups: [without] })], { threshold })).toEqual(['0: new 7']);
    expect(await messages([episode([[0, 6]], { events })], { threshold })).toEqual(['0: new 6']);
  });

  test('has only messages of its range, and knows earlier alerts', async () => {
    const found = await preview(settings(), [
      episode([
        [-10, 3],
        [5, 2],
      ]),
    ]);
    expect(found.messages).toEqual([]);
  });

  test('has the messages of its first and its last minute, and none after it', async () => {
    const range = { from: at(0), to: at(60) };
    const of = (id: number, minute: number) => episode([[minute, 1]], { episodeId: id, incidentKey: `incident-${id}` });
    const minutes = async (changes: Partial<WatchSettings>, episodes: readonly PastEpisode[]) =>
      (await previewOf(settings(changes), episodes, range, async () => {})).messages.map(
        (message) => (message.at.getTime() - NOON.getTime()) / MINUTE,
      );
    expect(await minutes({}, [of(1, 0), of(2, 60), of(3, 61)])).toEqual([0, 60]);
    expect(await minutes({ quiet: { from: 12 * 60, to: 13 * 60 } }, [of(1, 0)])).toEqual([60]);
    expect(await minutes({ quiet: { from: 12 * 60, to: 13 * 60 + 1 } }, [of(1, 0), of(2, 90)])).toEqual([]);
  });

  test('lets others have their turn from time to time', async () => {
    let pauses = 0;
    const busy = episode(Array.from({ length: 200 }, (_, minute) => [minute, 1] as const));
    await previewOf(settings(), [busy], RANGE, async () => {
      pauses += 1;
    });
    expect(pauses).toBeGreaterThan(0);
    expect(pauses).toBeLessThan(100);
  });
});

describe('the previews of several environments', () => {
  test('are one, with the oldest message first and all that stayed below the threshold', async () => {
    const threshold = { failures: 2, withinMs: MINUTE, rate: null };
    const of = (...minutes: number[]) =>
      preview(
        settings({ threshold }),
        [...minutes.map((minute) => [minute, 2] as const), [200, 1] as const].map((failed, index) =>
          episode([failed], { episodeId: index, incidentKey: `${index}` }),
        ),
      );
    const joint = joinedPreviews(RANGE, [await of(0, 61), await of(59)]);
    expect(joint.range).toEqual(RANGE);
    expect(joint.messages.map((message) => message.at)).toEqual([at(0), at(59), at(61)]);
    expect(joint.below.map(({ episodeId }) => episodeId)).toEqual([2, 1]);
  });

  test.for<[minutes: number[], most: number]>([
    [[], 0],
    [[5], 1],
    [[0, 59, 61], 2],
    [[0, 59, 61, 118], 3],
    [[0, 59, 61, 130], 2],
    [[0, 60, 120], 1],
    [[0, 100, 110, 120], 3],
  ])('count the most messages in any hour, which ends before a message an hour later: %j, %i', ([minutes, most]) => {
    const messages = minutes.map((minute) => ({ at: at(minute), incidents: [] }));
    expect(mostInAnHour({ range: RANGE, messages, below: [] })).toBe(most);
  });
});

test('reaches a threshold exactly when all of its minutes together do', async () => {
  const minutes = fc.uniqueArray(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 9 })), {
    selector: ([minute]) => minute,
    maxLength: 40,
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(
      minutes,
      fc.integer({ min: 2, max: 30 }),
      fc.integer({ min: 1, max: 90 }),
      async (counts, failures, within) => {
        const threshold = { failures, withinMs: within * MINUTE, rate: null };
        const sorted = counts.toSorted(([one], [other]) => one - other);
        const all = new Map(counts.map(([minute, count]) => [at(minute).getTime(), count]));
        const isPosted = (await messages([episode(sorted)], { threshold })).length > 0;
        expect(isPosted).toBe(isReached(threshold, { failures: all, events: new Map() }));
      },
    ),
  );
});
