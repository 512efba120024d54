import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, test } from 'vitest';
import { silent } from '../../lib/logger.testing.ts';
import { type Sleep, sleep } from '../../lib/time/waiting.ts';
import { LONGEST_USED_MS } from '../../lib/workspace.ts';
import { cached, MOST_KEPT } from './cached.ts';

describe('a cached answer', () => {
  let keys: string[];
  let clock: number;
  let patience: Sleep;
  beforeEach(() => {
    [keys, clock, patience] = [[], 0, sleep];
  });
  const answers = (ask: (key: string) => Promise<string>) =>
    cached(
      {
        client: new WebClient(),
        logger: silent,
        now: () => new Date(clock),
        sleep: (ms, signal) => patience(ms, signal),
      },
      1_000,
      (key) => {
        keys.push(key);
        return ask(key);
      },
    );
  const failing = (error: string) =>
    answers(async () =>
      keys.length === 1 ? 'the first' : Promise.reject(new WebAPIPlatformError({ ok: false, error })),
    );

  test('is reused until its time is up, or the clock is set back', async () => {
    const answer = answers(async (key) => `${key} at ${clock}`);
    expect(await answer('a')).toBe('a at 0');
    clock = 999;
    expect(await answer('a')).toBe('a at 0');
    clock = 5_000;
    expect(await answer('a')).toBe('a at 5000');
    clock = 4_500;
    expect(await answer('a')).toBe('a at 4500');
  });

  test('is requested again after a failure, which the caller gets', async () => {
    const answer = answers((key) => (keys.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve(key)));
    await expect(answer('a')).rejects.toThrow('away');
    expect(await answer('a')).toBe('a');
  });

  test('holds while Slack has a problem of its own, for less than an hour', async () => {
    const answer = failing('internal_error');
    await answer('a');
    for (clock of [1_000, LONGEST_USED_MS - 1]) expect(await answer('a')).toBe('the first');
    expect(keys).toHaveLength(3);
    for (clock of [LONGEST_USED_MS, -LONGEST_USED_MS]) await expect(answer('a')).rejects.toThrow('internal_error');
  });

  test('that is too old is not waited for without end', async () => {
    const answer = answers(() => (keys.length === 1 ? Promise.resolve('the first') : new Promise(() => {})));
    await answer('a');
    clock = LONGEST_USED_MS;
    patience = async () => {};
    await expect(answer('a')).rejects.toThrow("Slack doesn't answer");
  });

  test('holds while Slack is slower than people wait, and what it says then is known the next time', async () => {
    let say = (_: string) => {};
    const slow = new Promise<string>((resolve) => {
      say = resolve;
    });
    const answer = answers(() => (keys.length === 1 ? Promise.resolve('the first') : slow));
    await answer('a');
    clock = 1_000;
    patience = async () => {};
    expect(await answer('a')).toBe('the first');
    say('the second');
    await slow;
    expect(await answer('a')).toBe('the second');
    expect(keys).toHaveLength(2);
  });

  test('is forgotten one by one, the oldest first, if there are too many', async () => {
    const answer = answers(async (key) => key);
    for (let place = 0; place <= MOST_KEPT; place += 1) await answer(`${place}`);
    await answer('1');
    expect(keys).toHaveLength(MOST_KEPT + 1);
    await answer('0');
    expect(keys).toHaveLength(MOST_KEPT + 2);
  });

  test('holds no longer once Slack refuses to give it', async () => {
    const answer = failing('no_such_subteam');
    await answer('a');
    clock = 1_000;
    await expect(answer('a')).rejects.toThrow('no_such_subteam');
  });
});
