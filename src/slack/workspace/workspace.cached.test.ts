import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, test } from 'vitest';
import { silent } from '../../lib/logger.testing.ts';
import { cached } from './workspace.ts';

describe('a cached answer', () => {
  let asked: string[];
  let clock: number;
  beforeEach(() => {
    [asked, clock] = [[], 0];
  });
  const answers = (ask: (key: string) => Promise<string>) =>
    cached({ client: new WebClient(), logger: silent, now: () => new Date(clock) }, 1_000, (key) => {
      asked.push(key);
      return ask(key);
    });
  const failing = (error: string) =>
    answers(async () =>
      asked.length === 1 ? 'the first' : Promise.reject(new WebAPIPlatformError({ ok: false, error })),
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
    const answer = answers((key) => (asked.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve(key)));
    await expect(answer('a')).rejects.toThrow('away');
    expect(await answer('a')).toBe('a');
  });

  test('holds while Slack has a problem of its own', async () => {
    const answer = failing('internal_error');
    await answer('a');
    clock = 1_000;
    expect(await answer('a')).toBe('the first');
    expect(asked).toHaveLength(2);
  });

  test('holds no longer once Slack refuses to give it', async () => {
    const answer = failing('no_such_subteam');
    await answer('a');
    clock = 1_000;
    await expect(answer('a')).rejects.toThrow('no_such_subteam');
  });
});
