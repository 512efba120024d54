import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import type { KeptTrigger } from './follow.ts';
import { resumeAbandoned, type TriggerCtx } from './send.ts';
import { aTriggerCtx } from './trigger.testing.ts';

const claimed = (id: string, secondsAgo: number): KeptTrigger => ({
  intent: { id, environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients: [] },
  claimedAt: at(-secondsAgo),
  message: null,
  results: null,
});

function resuming(intents: KeptTrigger[], aloneSince: Date | null, fails = false) {
  const resumed: string[] = [];
  const errors: string[] = [];
  const { service, triggers, ...others } = aTriggerCtx();
  const unfinishedIntents = async (newerThan: Date) => intents.filter(({ claimedAt }) => claimedAt > newerThan);
  const ctx: TriggerCtx = {
    ...others,
    serviceOf: () => service,
    store: { triggers: { ...triggers, unfinishedIntents }, audit: { settleChange: async () => {} } },
    reporter: {
      open: async ({ intent }) => {
        resumed.push(intent.id);
        if (fails) throw new Error('Slack is away');
        return null;
      },
      update: async () => 'done',
    },
    logger: { debug() {}, info() {}, warn() {}, error: (_: object, sentence: string) => void errors.push(sentence) },
  };
  return { resumed, errors, run: () => resumeAbandoned(ctx, aloneSince) };
}

describe('resuming triggers', () => {
  const STARTED = at(-10);
  const intents = [claimed('young', 20), claimed('old', 200), claimed('forgotten', 100_000)];

  test('resumes all unfinished ones when the only process starts', async () => {
    const { resumed, run } = resuming(intents, STARTED);
    await run();
    expect(resumed).toEqual(['young', 'old']);
  });

  test('skips those that were sent after its start, which this process is following', async () => {
    const { resumed, run } = resuming([claimed('own', 5), ...intents], STARTED);
    await run();
    expect(resumed).toEqual(['young', 'old']);
  });

  test('skips those that another replica may be following', async () => {
    const { resumed, run } = resuming(intents, null);
    await run();
    expect(resumed).toEqual(['old']);
  });

  test('continues with the others when one fails, and logs the error', async () => {
    const { resumed, errors, run } = resuming(intents, STARTED, true);
    await run();
    expect(resumed).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });
});
