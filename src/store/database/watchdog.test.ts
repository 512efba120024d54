import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { BOUNDS } from './bounds.ts';
import { startWatchdog, type WatchdogOptions } from './watchdog.ts';

const NOON = Date.parse('2026-03-04T12:00:00Z');
const never = (): Promise<never> => new Promise(() => {});

/** A watched database: its probe results, its log, and a settable clock. */
function watched(kind: WatchdogOptions['kind'] = 'embedded', options: Partial<WatchdogOptions> = {}) {
  const logged: string[] = [];
  const lost: Error[] = [];
  const world = { answer: async (): Promise<unknown> => ({ read_only: false }), asked: 0, now: NOON };
  const log = (fields: object, sentence: string): void => {
    logged.push('trouble' in fields ? `${sentence}: ${fields.trouble}` : sentence);
  };
  const watchdog = startWatchdog({
    database: {
      probe: async (Row) => {
        world.asked += 1;
        return [Row.parse(await world.answer())];
      },
    },
    kind,
    logger: { debug: log, info: log, warn: log, error: log },
    now: () => new Date(world.now),
    onLost: (reason) => lost.push(reason),
    bounds: { ...BOUNDS, probeMs: 5 },
    ...options,
  });
  return { world, logged, lost, watchdog };
}

test('notices a database that stops responding, sends no second probe meanwhile, and notices its recovery', async () => {
  const { world, logged, watchdog } = watched();
  await watchdog.look();
  expect(watchdog.trouble()).toBe(null);
  let wake: (row: unknown) => void = () => {};
  world.answer = () => new Promise((resolve) => (wake = resolve));
  await watchdog.look();
  await watchdog.look();
  expect([watchdog.trouble(), world.asked]).toEqual(['not-answering', 2]);
  wake({ read_only: false });
  await watchdog.look();
  expect(watchdog.trouble()).toBe(null);
  expect(logged).toEqual(['store in trouble: not-answering', 'store out of trouble: not-answering']);
  watchdog.stop();
});

test("ends the process once, with the reason, after an embedded database hasn't responded for 90 seconds", async () => {
  const { world, lost, watchdog } = watched();
  world.answer = never;
  await watchdog.look();
  world.now += 89_000;
  await watchdog.look();
  expect(lost).toEqual([]);
  world.now += 1_000;
  await watchdog.look();
  await watchdog.look();
  expect(lost).toEqual([expect.any(StoreTroubleError)]);
  watchdog.stop();
});

test('never ends the process for a server, which recovers by itself', async () => {
  const { world, lost, logged, watchdog } = watched('server');
  world.answer = () => Promise.reject(new Error('connection refused'));
  await watchdog.look();
  world.now += 86_400_000;
  await watchdog.look();
  expect([watchdog.trouble(), lost]).toEqual(['not-answering', []]);
  expect(logged).toEqual(['database probe failed', 'store in trouble: not-answering']);
  watchdog.stop();
});

test('notices a server that answers but accepts no writes', async () => {
  const { world, watchdog } = watched('server');
  world.answer = async () => ({ read_only: true });
  await watchdog.look();
  expect(watchdog.trouble()).toBe('read-only');
  watchdog.stop();
});

test('leaves no timers or listeners behind, however often it looks', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const { watchdog } = watched('server', { bounds: { ...BOUNDS, probeMs: 10_000 } });
  for (let looks = 0; looks < 20; looks++) await watchdog.look();
  await setImmediate();
  process.off('warning', note);
  expect(warnings).toEqual([]);
  watchdog.stop();
});
