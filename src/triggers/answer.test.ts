import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { aJob, anEvent, NOON } from '../service/event.testing.ts';
import { type TriggerResult, UNREADABLE_RESULT } from '../service/trigger.ts';
import { isDone, progressAnswered, type RecipientState } from './follow.ts';

const recipients = [{ subscriberId: 'user-1', transactionId: 'txn_1' }];
const INTENT = { id: 'intent-1', environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients };
const answer = (results: TriggerResult[] | null) => progressAnswered({ intent: INTENT, claimedAt: NOON, results });
const stateAnswered = (result: TriggerResult) => answer([result]).recipients[0]?.state;
const answered = (status: string, errors: readonly string[] = []) =>
  stateAnswered({ acknowledged: true, status, errors, transactionId: 'txn_1' });

describe("a recipient, by the service's answer,", () => {
  test.each(['processed', ' Processed '])('is awaited if it was accepted: %j', (status) => {
    expect(answered(status)).toEqual({ is: 'awaited' });
  });

  test('is awaited if the answer was lost', () => {
    expect(answer(null)).toMatchObject({
      isAnswerLost: true,
      recipients: [{ row: 1, state: { is: 'awaited' } }],
    });
  });

  test.each([
    'error',
    'trigger_not_active',
    'no_workflow_active_steps_defined',
    'no_workflow_steps_defined',
    'no_tenant_found',
    'invalid_recipients',
  ])("was refused with what the service says: %s (contract, 'Trigger result')", (status) => {
    expect(answered(status, ['why'])).toEqual({ is: 'refused', status, errors: ['why'] });
    expect(answered(status.toUpperCase())).toEqual({ is: 'refused', status, errors: [] });
  });

  test("is unclear if the contract doesn't have the status, or it couldn't be read", () => {
    expect(answered('queued', ['why'])).toEqual({ is: 'unclear', status: 'queued', errors: ['why'] });
    expect(stateAnswered(UNREADABLE_RESULT)).toEqual({ is: 'unclear', status: null, errors: [] });
  });
});

describe('nothing more is expected', () => {
  const NOW = new Date('2026-11-20T12:00:00Z');
  const seen = (status: 'completed' | 'pending'): RecipientState => {
    const event = anEvent({ createdAt: NOW, jobs: [aJob({ status })] });
    return { is: 'seen', event, judgement: judge(event, NOW) };
  };

  test.each<[string, RecipientState, boolean]>([
    ['was refused', { is: 'refused', status: 'error', errors: [] }, true],
    ['was seen to its end', seen('completed'), true],
    ['is on its way', seen('pending'), false],
    ['is awaited', { is: 'awaited' }, false],
    ['is unclear', { is: 'unclear', status: null, errors: [] }, false],
  ])('of a recipient that %s, or is', (_, state, expected) => {
    expect(isDone({ row: 1, subscriberId: 'user-1', transactionId: 'txn_1', state })).toBe(expected);
  });
});
