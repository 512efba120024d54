import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { heard } from '../lib/logger.testing.ts';
import { type Runnable, runUntilStopped } from './run-until-stopped.ts';

class Host extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

let host: Host;
let log: ReturnType<typeof heard>;
let stops: number;

beforeEach(() => {
  host = new Host();
  log = heard();
  stops = 0;
});

type Fail = (error: unknown) => void;

function run(parts: Partial<Runnable> = {}, stopTimeoutMs = 1_000): { fail: Fail } {
  const app: Runnable = {
    start: async () => {},
    ...parts,
    stop: async () => {
      stops += 1;
      await parts.stop?.();
    },
  };
  let fail: Fail = () => {};
  const create = async (given: Fail): Promise<Runnable> => {
    fail = given;
    return app;
  };
  runUntilStopped(create, { host, logger: log.logger, stopTimeoutMs, exitCodeOf: () => 1 });
  return { fail };
}

const never = (): Promise<void> => new Promise(() => {});

describe('runUntilStopped', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('stops once on %s and exits with 0', async (signal) => {
    run();
    host.emit(signal, signal);
    await vi.waitFor(() => expect(host.exits).toEqual([0]), { timeout: 60_000 });
    expect(stops).toBe(1);
  });

  test('exits with 0 when stopping interrupts the start, and logs no error', async () => {
    const store = new AbortController();
    const start = () => once(new EventEmitter(), 'open', store).then(() => {});
    run({ start, stop: async () => store.abort() });
    host.emit('SIGTERM', 'SIGTERM');
    await vi.waitFor(() => expect(host.exits).toEqual([0]), { timeout: 60_000 });
    expect(log.sentences()).toEqual([
      'The process was asked to stop',
      'The start was cut off by the stop',
      'Notif has stopped',
    ]);
  });

  test('exits at once on a second signal', async () => {
    run({ stop: never });
    host.emit('SIGTERM', 'SIGTERM');
    host.emit('SIGINT', 'SIGINT');
    expect(host.exits).toEqual([1]);
  });

  test('cuts off a stop that hangs, and logs that', async () => {
    run({ stop: never }, 5);
    host.emit('SIGTERM', 'SIGTERM');
    await vi.waitFor(() => expect(host.exits).toEqual([0]), { timeout: 60_000 });
    expect(log.sentences()).toContain('Stopping takes too long; the process ends anyway');
  });

  test.each(['unhandledRejection', 'uncaughtException'])('logs an %s, stops and exits with 1', async (event) => {
    run();
    host.emit(event, new Error('unexpected'));
    await vi.waitFor(() => expect(host.exits).toEqual([1]), { timeout: 60_000 });
    expect(log.sentences()).toEqual(['The process ends because of an error', 'Notif has stopped']);
    expect(stops).toBe(1);
  });

  test('exits with 1 on a fatal error of what runs, even if stopping then fails', async () => {
    const { fail } = run({ stop: () => Promise.reject(new Error('stuck')) });
    fail(new Error('token refused'));
    fail(new Error('token refused'));
    await vi.waitFor(() => expect(host.exits).toEqual([1]), { timeout: 60_000 });
    expect(stops).toBe(1);
    expect(log.sentences()).toContain('Stopping failed');
  });
});
