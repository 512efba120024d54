import { describe, expect, test } from 'vitest';
import { at, NOON } from '../domain/service/event.testing.ts';
import type { UnfinishedIntent } from '../use-cases/triggers/run-trigger.ts';
import { resumeTriggersJob } from './resume-triggers.ts';

const claimed = (id: string, secondsAgo: number): UnfinishedIntent => ({
  intent: { id, environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients: [] },
  claimedAt: at(-secondsAgo),
  message: null,
  results: null,
});

function resuming(intents: UnfinishedIntent[], isAlone: boolean, fails = false) {
  const resumed: string[] = [];
  const errors: string[] = [];
  const job = resumeTriggersJob({
    unfinished: async (newerThan) => intents.filter(({ claimedAt }) => claimedAt > newerThan),
    resume: async ({ intent }) => {
      resumed.push(intent.id);
      if (fails) throw new Error('Slack is away');
    },
    isAlone,
    logger: { debug() {}, info() {}, warn() {}, error: (_, sentence) => void errors.push(sentence) },
    now: () => NOON,
  });
  return { resumed, errors, run: () => job.run(new AbortController().signal) };
}

describe('resuming triggers', () => {
  const intents = [claimed('young', 20), claimed('old', 200), claimed('forgotten', 100_000)];

  test('resumes all unfinished ones when the only process starts', async () => {
    const { resumed, run } = resuming(intents, true);
    await run();
    expect(resumed).toEqual(['young', 'old']);
  });

  test('then skips those that this process may be following', async () => {
    const { resumed, run } = resuming(intents, true);
    await run();
    resumed.length = 0;
    await run();
    expect(resumed).toEqual(['old']);
  });

  test('skips those that another replica may be following', async () => {
    const { resumed, run } = resuming(intents, false);
    await run();
    expect(resumed).toEqual(['old']);
  });

  test('continues with the others when one fails, and logs the error', async () => {
    const { resumed, errors, run } = resuming(intents, true, true);
    await run();
    expect(resumed).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });
});
