import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEvent, at } from '../domain/event.testing.ts';
import type { TriggeredEvent } from '../domain/event.ts';
import type { Page } from '../domain/query.ts';
import { lengthOf } from '../domain/reading-windows.ts';
import { ModelService, settled } from './model-service.testing.ts';
import { readSpan } from './read-span.ts';

const SPAN = { from: at(0), to: at(600) };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Reads ten minutes of a service with an event at each of some seconds. */
function reading(seconds: readonly number[]) {
  const clock = { now: at(700) };
  const service = new ModelService(() => clock.now);
  service.events.push(...seconds.map((second) => settled({ ...anEvent({ id: `${second}` }), createdAt: at(second) })));
  const read: string[] = [];
  const onPage = async ({ items }: Page<TriggeredEvent>) => void read.push(...items.map(({ id }) => id ?? ''));
  const parts = { service, logger: silent, now: () => clock.now, signal: new AbortController().signal };
  const until = { until: at(1e6) };
  return { service, clock, read, readIt: (change = until) => readSpan(SPAN, { onPage, ...change }, parts) };
}

const everySecond = Array.from({ length: 600 }, (_, second) => second);

describe('a span of the list', () => {
  test('is read newest first, in one walk', async () => {
    const { service, read, readIt } = reading(everySecond);
    expect(await readIt()).toEqual([]);
    expect(read).toEqual(everySecond.map(String).reverse());
    expect(service.queries).toHaveLength(1);
  });

  test('is left from where time ran out, after a page at least', async () => {
    const { clock, read, readIt } = reading(everySecond);
    clock.now = at(800);
    expect(await readIt({ until: at(750) })).toEqual([{ window: { from: at(0), to: at(550) }, problem: null }]);
    expect(read).toHaveLength(50);
  });

  test('goes on beyond the time while all events are of the same moment, or it would never get on', async () => {
    const { service, readIt, read } = reading([]);
    service.events.push(
      ...Array.from({ length: 120 }, (_, i) => settled({ ...anEvent({ id: `${i}` }), createdAt: at(600) })),
    );
    expect(await readIt({ until: at(0) })).toEqual([]);
    expect(read).toHaveLength(120);
  });

  test('is read but for a second that the service can not answer for', async () => {
    const { service, read, readIt } = reading(everySecond);
    service.poisoned = [at(300.5)];
    expect(await readIt()).toMatchObject([
      { window: { from: at(300), to: at(301) }, problem: { kind: 'service-error' } },
    ]);
    expect(new Set(read).size).toBe(600);
  });

  test('is not halved when the service does not answer anything', async () => {
    const { service, readIt } = reading(everySecond);
    service.problem = { kind: 'service-error', status: 500, errorId: null };
    await expect(readIt()).rejects.toMatchObject({ problem: { kind: 'service-error' } });
    expect(service.queries).toHaveLength(2);
  });

  test('is not asked for again when the trouble has nothing to do with it', async () => {
    const { service, readIt } = reading(everySecond);
    service.problem = { kind: 'key-refused', status: 401 };
    await expect(readIt()).rejects.toMatchObject({ problem: { kind: 'key-refused' } });
    expect(service.queries).toHaveLength(1);
  });

  test('is read as far back as the plan reaches, and found in a few requests', async () => {
    const { service, read, readIt } = reading(everySecond);
    service.planFrom = at(200.5);
    const unread = await readIt();
    expect(unread.every(({ problem }) => problem?.kind === 'beyond-plan')).toBe(true);
    expect(Math.max(...unread.map(({ window }) => window.to.getTime()))).toBe(at(201).getTime());
    expect(new Set(read).size).toBe(399);
    expect(service.queries.length).toBeLessThan(40);
  });

  test('is read whole while the list moves under the walk', async () => {
    const arrivals = fc.array(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(arrivals, async (arriving) => {
        const { service, read, readIt } = reading(everySecond);
        let page = 0;
        service.beforePage = () => {
          const arrived = arriving[page] ?? [];
          service.events.push(
            ...arrived.map((second, i) => settled({ ...anEvent({ id: `late-${page}-${i}` }), createdAt: at(second) })),
          );
          page += 1;
        };
        expect(await readIt()).toEqual([]);
        expect(everySecond.filter((second) => !read.includes(String(second)))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('is read but for what is poisoned, whatever that is, and names all that it left out', async () => {
    const moments = fc.array(fc.integer({ min: -5_000, max: 605_000 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(moments, async (poisoned) => {
        const { service, read, readIt } = reading(everySecond);
        service.poisoned = poisoned.map((ms) => at(ms / 1000));
        const unread = await readIt();
        const isUnread = (second: number) =>
          unread.some(({ window }) => at(second) >= window.from && at(second) <= window.to);
        const missing = everySecond.filter((second) => !read.includes(String(second)));
        expect(missing.filter((second) => !isUnread(second))).toEqual([]);
        const tried = unread.filter(({ problem }) => problem !== null);
        for (const { window } of tried) {
          expect(lengthOf(window)).toBeLessThanOrEqual(1000);
          expect(service.poisoned.some((moment) => moment >= window.from && moment <= window.to)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
