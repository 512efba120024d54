import { describe, expect, test } from 'vitest';
import type { Message, TriggeredEvent } from './entities.ts';
import { beginLife } from './life.ts';
import { noon } from './testing.ts';
import { allTime } from './timeline.ts';
import { World } from './world.ts';

const minute = 60_000;
const finalStatuses = new Set<string>(['completed', 'failed', 'canceled', 'merged', 'skipped']);

function live(minutes: number, seed = 1): { world: World; events: TriggeredEvent[] } {
  let now = noon;
  const world = new World({ seed, now: () => now });
  beginLife(world, { since: noon, present: noon, goesOn: true, outagesGoOn: true });
  now += minutes * minute;
  world.agenda.runUntil(now);
  return { world, events: allOf(world) };
}

const allOf = (world: World) =>
  world.events.page({ from: 0, to: Number.POSITIVE_INFINITY }, 0, world.events.size).map(({ event }) => event);
const failedDetails = (event: TriggeredEvent) =>
  event.jobs.flatMap((job) => job.executionDetails.filter(({ status }) => status === 'Failed'));

describe('life', () => {
  test('is the same for the same seed and different for another', () => {
    expect(live(3).events).toEqual(live(3).events);
    expect(live(3, 2).events).not.toEqual(live(3).events);
  });

  test('has a provider fail 20 to 40 seconds after people begin to watch, for 2 to 3 minutes, every 12 minutes', () => {
    const { world } = live(0);
    const down = Array.from({ length: 20 * 60 }, (_, second) => {
      world.agenda.runUntil(noon + second * 1000);
      return world.outages.size > 0;
    });
    const starts = down.flatMap((is, second) => (is && !down[second - 1] ? [second] : []));
    expect(starts).toHaveLength(2);
    expect(starts[0]).toBeGreaterThanOrEqual(20);
    expect(starts[0]).toBeLessThanOrEqual(41);
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBe(12 * 60);
    const seconds = down.filter((is) => is).length / 2;
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThanOrEqual(181);
  });

  test('can have no outages of its own after the present, and produces more events at a higher pace', () => {
    const world = new World({ seed: 1, now: () => noon });
    beginLife(world, { since: noon - 30 * minute, present: noon, goesOn: true, outagesGoOn: false });
    world.agenda.runUntil(noon + 5 * minute);
    const before = world.events.size;
    world.pace = 16;
    for (let at = noon + 5 * minute; at < noon + 10 * minute; at += 1000) {
      world.agenda.runUntil(at);
      expect(world.outages.size).toBe(0);
    }
    expect(world.events.size - before).toBeGreaterThan(16 * 5 * 25);
  });

  test('has every kind of failure in the field notes', () => {
    const { world, events } = live(120);
    const sources = new Set(events.flatMap(failedDetails).map(({ source }) => source));
    const statuses = new Set(events.flatMap(({ jobs }) => jobs.map(({ status }) => status)));
    expect(sources).toEqual(new Set(['Internal', 'Webhook']));
    expect([...finalStatuses].filter((status) => !statuses.has(status))).toEqual([]);
    expect(events.some((event) => failedDetails(event).some(({ isRetry }) => isRetry))).toBe(true);
    const lateBounces = events.flatMap((event) =>
      failedDetails(event)
        .filter(({ source }) => source === 'Webhook')
        .map(({ createdAt }) => Date.parse(createdAt) - Date.parse(event.createdAt)),
    );
    expect(Math.min(...lateBounces)).toBeGreaterThanOrEqual(minute);
    expect(world.messages.size).toBeGreaterThan(events.length);
    const details = events.flatMap(({ jobs }) => jobs.flatMap(({ executionDetails }) => executionDetails));
    expect(new Set(details.map(({ source }) => source))).toEqual(
      new Set(['Credentials', 'Internal', 'Payload', 'Webhook']),
    );
    expect(new Set(details.map(({ status }) => status))).toEqual(
      new Set(['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation']),
    );
    const messages = world.messages.page(allTime, 0, world.messages.size).map(({ message }) => message);
    const some = (isSo: (message: Message) => unknown) => expect(messages.find(isSo)).toBeDefined();
    some(({ status }) => status === 'warning');
    some(({ seen, read }) => seen && !read);
    some(({ lastReadDate }) => lastReadDate);
    some(({ snoozedUntil }) => snoozedUntil);
    some(({ deliveredAt = [] }) => deliveredAt.length > 1);
    some(({ title }) => title);
    some(({ cta }) => JSON.stringify(cta)?.includes('"done"'));
    const jobs = events.flatMap((event) => event.jobs);
    expect(new Set(jobs.flatMap(({ digest }) => (digest ? [digest.type] : [])))).toEqual(
      new Set(['regular', 'backoff', 'timed']),
    );
    expect(jobs.some(({ scheduleExtensionsCount }) => scheduleExtensionsCount)).toBe(true);
  });

  test('ends accidents and outages at the present if it is only a history', () => {
    const world = new World({ seed: 1, now: () => noon });
    beginLife(world, { since: noon - 60 * minute, present: noon, goesOn: false, outagesGoOn: false });
    world.agenda.runUntil(noon);
    const before = world.events.size;
    world.agenda.runUntil(noon + 60 * minute);
    expect(before).toBeGreaterThan(1000);
    expect(world.events.size).toBe(before);
    expect(world.outages.size).toBe(0);
  });
});
