import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../watches/watch.ts';
import { aCandidate, NOON } from './alert-decision.testing.ts';
import type { PastEpisode, RecordedFailures } from './past-episode.ts';
import { joinedPreviews, mostInAnHour, previewOf } from './preview.ts';
import { isReached, RunningSums } from './threshold.ts';

const MINUTE = 60_000;
const at = (minute: number) => new Date(NOON.getTime() + minute * MINUTE);
const RANGE = { from: at(0), to: at(24 * 60) };

/** Returns an episode with this many failures recorded in each of some minutes. */
function episode(
  failures: readonly (readonly [minute: number, failures: number])[],
  changes: Partial<PastEpisode> = {},
): PastEpisode {
  const shown = { severities: [], verdicts: [], topics: [], contexts: [], tags: [], subscribers: [] };
  return {
    episodeId: 1,
    incidentKey: 'incident-1',
    beganAs: 'new',
    isOver: true,
    relapses: 0,
    relapsedAt: [],
    groups: [aCandidate().tally.group],
    recorded: failures.map(
      ([minute, count]): RecordedFailures => ({
        ...{
          at: at(minute).getTime(),
          minute: at(minute).getTime(),
          group: 0,
          failures: count,
          isCritical: false,
          shown,
        },
      }),
    ),
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

  test('applies the threshold again to what comes back, but not to what continues the next day', async () => {
    const threshold = { failures: 3, withinMs: 10 * MINUTE, rate: null };
    const day = (beganAs: PastEpisode['beganAs'], id: number, minute: number, failures: number) =>
      episode([[minute, failures]], { episodeId: id, beganAs, isOver: false });
    const days = [day('new', 1, 0, 3), day('goes-on', 2, 300, 1), day('relapsed', 3, 600, 1), day('back', 4, 900, 1)];
    expect(await messages(days, { threshold })).toEqual(['0: new 3', '300: goes-on 1', '600: relapsed 1']);
    expect(await messages([day('goes-on', 2, 300, 1)], { threshold })).toEqual([]);
  });

  test('applies the rate to the events of the workflow', async () => {
    const of = (events: number) =>
      episode([[0, 6]], { events: new Map([['order-shipped', new RunningSums(new Map([[NOON.getTime(), events]]))]]) });
    const threshold = { failures: 5, withinMs: 10 * MINUTE, rate: 0.5 };
    expect(await messages([of(12)], { threshold })).toEqual(['0: new 6']);
    expect(await messages([of(13)], { threshold })).toEqual([]);
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
});

test('counts the most messages in any hour, over all environments', async () => {
  const joint = joinedPreviews(RANGE, [
    await preview(settings(), [episode([[0, 1]]), episode([[59, 1]], { episodeId: 2, incidentKey: '2' })]),
    await preview(settings(), [episode([[61, 1]], { episodeId: 3, incidentKey: '3' })]),
  ]);
  expect(joint.messages).toHaveLength(3);
  expect(mostInAnHour(joint)).toBe(2);
  expect(mostInAnHour(joinedPreviews(RANGE, []))).toBe(0);
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
