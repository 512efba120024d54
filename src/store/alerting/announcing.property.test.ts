import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GROWTH, SAME_INCIDENT_MS } from '../../domain/alerting/alert-decision.ts';
import { isReached } from '../../domain/alerting/threshold.ts';
import { isQuietAt } from '../../domain/time/wall-clock.ts';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../../domain/watches/watch.ts';
import { at, openedEnvironment } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';
import { type KnownEpisode, type LastAlert, type Step, Story } from './announcing.testing.ts';

const CHANNELS = ['email', 'sms', 'push'];
const channel = fc.constantFrom(...CHANNELS);

const steps: fc.Arbitrary<Step> = fc.record({
  minutes: fc.integer({ min: 1, max: 70 }),
  failures: fc.array(fc.record({ channel, times: fc.integer({ min: 1, max: 12 }) }), { maxLength: 3 }),
  undeliverable: fc.integer({ min: 0, max: 2 }),
  mute: fc.option(
    fc.record({ channel: fc.oneof(channel, fc.constant(null)), minutes: fc.integer({ min: 1, max: 180 }) }),
    { freq: 3 },
  ),
  deletesMessages: fc.nat(5).map((die) => die === 0),
  isSlackAway: fc.nat(3).map((die) => die === 0),
});

/** Long enough for everything held back to be announced. */
const CALM = [200, 60, 60, 60, 60].map(
  (minutes): Step => ({
    minutes,
    failures: [],
    undeliverable: 0,
    mute: null,
    deletesMessages: false,
    isSlackAway: false,
  }),
);

const settings: fc.Arbitrary<WatchSettings> = fc
  .record({
    channels: fc.constantFrom([], ['EMAIL'], ['sms', 'push']),
    threshold: fc.option(
      fc.record({
        failures: fc.integer({ min: 2, max: 15 }),
        withinMs: fc.integer({ min: 1, max: 90 }).map((minutes) => minutes * 60_000),
        rate: fc.constant(null),
      }),
    ),
    everyMs: fc.constantFrom(0, 45 * 60_000),
    quiet: fc.option(fc.constant({ from: 14 * 60, to: 16 * 60 })),
  })
  .map(({ channels, ...others }) => ({ ...UNFILTERED, ...others, filter: { ...EVERYTHING, channels } }));

describeStore('an arbitrary course of events', (store) => {
  test('alerts a watch to everything it covers, to nothing without a reason, and never when it must be silent', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 7 }), settings, async (steps, settings) => {
        runs += 1;
        const environment = `environment-${runs}`;
        await openedEnvironment(store(), environment, at(-60));
        const watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U1', settings }, at(-1));
        const story = new Story(store(), environment, watch);
        for (const step of [...steps, ...CALM]) await story.go(step);
        await check(story);
        await store().watches.endWatch(watch.id, 'U1', at(0));
      }),
      { numRuns: 6 },
    );
  });
});

async function check(story: Story): Promise<void> {
  const [lastAlert, episodes] = [await story.lastAlert(), await story.episodes()];
  for (const announcement of lastAlert) checkSilence(announcement, story);
  checkPace(lastAlert, story.watch.settings.everyMs);
  for (const channel of CHANNELS) {
    const ofGroup = (row: { readonly channel: string }) => row.channel === channel;
    const [ofIt, known] = [lastAlert.filter(ofGroup), episodes.filter(ofGroup)];
    expect(sum(known.map(({ failures }) => failures))).toBe(story.failures.filter(ofGroup).length);
    checkGroup(ofIt);
    checkMissed(channel, ofIt, story);
    let isFollowed = false;
    for (const episode of known) {
      const own = ofIt.filter(({ episode_id }) => episode_id === episode.id);
      isFollowed &&= ['goes-on', 'relapsed'].includes(episode.began_as);
      checkEpisode(own, episode, isFollowed, story);
      isFollowed ||= own.length > 0;
    }
  }
}

function checkSilence({ written_at, channel }: LastAlert, { watch, muted }: Story): void {
  expect(isQuietAt(watch.settings.quiet, 'UTC', written_at)).toBe(false);
  const keeps = muted.filter((mute) => mute.channel === null || mute.channel === channel);
  expect(keeps.filter(({ from, until }) => from <= written_at && written_at < until)).toEqual([]);
}

function checkPace(lastAlert: readonly LastAlert[], everyMs: number): void {
  const written = [...new Set(lastAlert.map(({ written_at }) => written_at.getTime()))];
  for (const [index, time] of written.slice(1).entries())
    expect(time - (written[index] ?? 0)).toBeGreaterThanOrEqual(everyMs);
}

/** A deleted message alerted nobody. */
function checkGroup(lastAlert: readonly LastAlert[]): void {
  for (const [index, { written_at }] of lastAlert.slice(1).entries()) {
    const before = lastAlert[index];
    if (before === undefined || before.is_gone || before.written_at.getTime() === written_at.getTime()) continue;
    expect(written_at.getTime() - before.posted_at.getTime()).toBeGreaterThanOrEqual(SAME_INCIDENT_MS);
  }
}

function checkMissed(channel: string, lastAlert: readonly LastAlert[], story: Story): void {
  if (story.watch.settings.threshold !== null || !isAbout(channel, story)) return;
  const isKept = (time: Date) =>
    story.muted.some(
      (mute) => (mute.channel === null || mute.channel === channel) && mute.from <= time && time < mute.until,
    );
  const failures = story.failures.filter((failure) => failure.channel === channel);
  const missed = sum(lastAlert.map((announcement) => announcement.missed));
  expect(missed).toBeGreaterThanOrEqual(failures.filter(({ at }) => isKept(at)).length);
  expect(missed).toBeLessThanOrEqual(failures.length);
}

/** `isFollowed`: the watch was alerted to the incident in an episode that this one continues. */
function checkEpisode(lastAlert: readonly LastAlert[], episode: KnownEpisode, isFollowed: boolean, story: Story): void {
  const [first, ...others] = lastAlert;
  const isWanted = isAbout(episode.channel, story) && (isFollowed || reachesThreshold(episode, story));
  expect(first !== undefined).toBe(isWanted);
  if (first === undefined) return;
  expect(first.reason).not.toBe('grown');
  for (const [index, announcement] of others.entries()) checkReason(announcement, lastAlert[index] ?? first);
  expect(episode.goes_on_unseen).toBe(false);
}

function checkReason({ reason, failures, missed }: LastAlert, before: LastAlert): void {
  expect(['grown', 'missed', 'goes-on']).toContain(reason);
  if (reason === 'grown') expect(failures).toBeGreaterThanOrEqual(GROWTH * before.failures);
  if (reason === 'missed') expect(missed).toBeGreaterThan(0);
  if (reason === 'goes-on') expect(before.is_gone).toBe(true);
}

function reachesThreshold({ channel, first_seen, last_seen }: KnownEpisode, story: Story): boolean {
  const { threshold } = story.watch.settings;
  const times = story.failures.filter((one) => one.channel === channel && one.at >= first_seen && one.at <= last_seen);
  const minutes = new Map<number, number>();
  for (const { at } of times) minutes.set(at.getTime(), (minutes.get(at.getTime()) ?? 0) + 1);
  return threshold === null || isReached(threshold, { failures: minutes, events: new Map() });
}

function isAbout(channel: string, { watch }: Story): boolean {
  const { channels } = watch.settings.filter;
  return channels.length === 0 || channels.some((wanted) => wanted.toLowerCase() === channel);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
