import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeOnSignal } from './close-on-signal.ts';

/** A process that only records the code with which it would have ended. */
class FakeHost extends EventEmitter {
  exit(code: number): void {
    this.emit('exited', code);
  }

  async exitCode(): Promise<unknown> {
    const [code] = await once(this, 'exited');
    return code;
  }
}

let host: FakeHost;

beforeEach(() => {
  host = new FakeHost();
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('closing on Ctrl-C', () => {
  test('closes in reverse order, then ends with code 0', async () => {
    const closed: string[] = [];
    const closing = closeOnSignal(host);
    for (const name of ['service', 'slack', 'bot']) closing.add({ close: async () => closed.push(name) });
    const code = host.exitCode();
    host.emit('SIGINT');
    expect(await code).toBe(0);
    expect(closed).toEqual(['bot', 'slack', 'service']);
  });

  test('ends at once after a second Ctrl-C', async () => {
    closeOnSignal(host).add({ close: () => new Promise(() => {}) });
    const code = host.exitCode();
    host.emit('SIGINT');
    host.emit('SIGINT');
    expect(await code).toBe(130);
  });

  test("ends with code 1 if something couldn't be closed", async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    closeOnSignal(host).add({ close: () => Promise.reject(new Error('stuck')) });
    const code = host.exitCode();
    host.emit('SIGTERM');
    expect(await code).toBe(1);
    expect(complaint).toHaveBeenCalledOnce();
  });

  test('reports that closing has begun', () => {
    const closing = closeOnSignal(host);
    expect(closing.begun).toBe(false);
    void closing.close();
    expect(closing.begun).toBe(true);
  });
});
