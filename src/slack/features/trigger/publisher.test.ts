import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, startSlack } from '../../../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../../../sandbox/slack/server.ts';
import { NOON } from '../../../service/event.testing.ts';
import type { TriggerProgress } from '../../../triggers/follow.ts';
import { PRODUCTION } from '../../slack.testing.ts';
import { createProgressReporter } from './message.ts';

const recipient = { row: 1, subscriberId: 'user-1', transactionId: 'txn-1', state: { is: 'awaited' } } as const;
const progress = (phase: TriggerProgress['phase']): TriggerProgress => ({
  intent: { id: 'intent-1', environment: 'production', actor: 'U0ANN', workflow: 'order-shipped', recipients: [] },
  sentAt: NOON,
  recipients: [recipient],
  isAnswerLost: false,
  phase,
  trouble: null,
});

describe('the progress of a test in direct messages', () => {
  let slack: LocalSlack;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(() => slack.close());
  beforeEach(() => slack.faults.clear());

  function reporter() {
    const client = clientOf(slack);
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    return createProgressReporter(client, client, [PRODUCTION], logger);
  }

  test("is refused for good if the person's direct messages are off", async () => {
    slack.faults.always('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
    expect(await reporter().open(progress('following'))).toBeNull();
  });

  test('may be taken later if Slack has a problem of its own', async () => {
    slack.faults.next('chat.postMessage', { kind: 'error', error: 'service_unavailable' });
    await expect(reporter().open(progress('following'))).rejects.toThrow('service_unavailable');
  });

  test.each([
    ['service_unavailable', 'later'],
    ['message_not_found', 'done'],
  ])('is still to be shown after an edit that failed with %s: %s', async (error, outcome) => {
    const { open, update } = reporter();
    const message = (await open(progress('following'))) ?? { channel: '', ts: '' };
    slack.faults.next('chat.update', { kind: 'error', error });
    expect(await update(message, progress('out-of-time'))).toBe(outcome);
    expect(await update(message, progress('out-of-time'))).toBe('done');
  });
});
