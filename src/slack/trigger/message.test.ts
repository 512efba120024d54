import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { aDetail, aJob, anEvent, at, NOON } from '../../domain/event.testing.ts';
import type { TriggeredEvent } from '../../domain/event.ts';
import { judge } from '../../domain/judge.ts';
import type { Recipient, ToldTrigger, TriggerProgress } from '../../domain/trigger.ts';
import { buttonsOf, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { progressMessage } from './message.ts';

const TOLD: ToldTrigger = {
  environment: 'production',
  actor: 'U0ANN',
  workflow: 'order-shipped',
  startedAt: NOON,
  isResumed: false,
};

function to(subscriberId: string, state: Recipient['state']): Recipient {
  return { subscriberId, transactionId: `txn_${subscriberId}`, state };
}

function seen(event: TriggeredEvent): Recipient['state'] {
  return { is: 'seen', event, judgement: judge(event, at(60)) };
}

const AWAITED = { is: 'awaited' } as const;
const FAILED = anEvent({
  jobs: [aJob({ type: 'email', status: 'failed', details: [aDetail({ detail: 'Mailbox full' })] })],
});

function progress(recipients: readonly Recipient[], change: Partial<TriggerProgress> = {}): TriggerProgress {
  return { recipients, isAnswerLost: false, phase: 'following', trouble: null, ...change };
}

function words(told: Partial<ToldTrigger>, state: TriggerProgress): string {
  return wordsOf(progressMessage({ ...TOLD, ...told }, state, PRODUCTION));
}

describe('the progress of a trigger', () => {
  test('says for each recipient how far it is, those in trouble first', () => {
    const message = progressMessage(
      TOLD,
      progress([
        to('user-1', seen(anEvent())),
        to('user-2', seen(FAILED)),
        to('user-3', seen(anEvent({ jobs: [aJob({ status: 'queued' })] }))),
        to('user-4', AWAITED),
        to('user-5', { is: 'refused', status: 'trigger_not_active', errors: [] }),
      ]),
      PRODUCTION,
    );
    expect(
      wordsOf(message)
        .split('\n')
        .filter((line) => line !== 'Look up'),
    ).toEqual([
      '⏳ Test of order-shipped in production · 3 of 5 done',
      'by <@U0ANN>, 2026-03-04 12:00 UTC',
      '🔴 user-5 not sent: the workflow is not active',
      '🔴 user-2 failed: Email · SendGrid, Mailbox full',
      "⏳ user-4 not in the service's list yet",
      '✅ user-1 delivered: email',
      '⏳ user-3 in progress: email queued',
    ]);
    expect(buttonsOf(message)).toHaveLength(3);
    expectFit(message);
  });

  test.each([
    ['no_workflow_active_steps_defined', 'no step of the workflow is active'],
    ['no_workflow_steps_defined', 'the workflow has no steps'],
    ['no_tenant_found', 'the service does not know the tenant'],
    ['invalid_recipients', 'the service does not take this subscriber id'],
    ['error', 'the service reports an error: no integration'],
    ['something_new', 'something_new'],
  ])('says what the service means by %s', (status, meaning) => {
    const errors = status === 'error' ? ['no integration'] : [];
    expect(words({}, progress([to('user-1', { is: 'refused', status, errors })]))).toContain(`not sent: ${meaning}`);
  });

  test('ends well, or with what failed', () => {
    const one = (event: TriggeredEvent) => words({}, progress([to('user-1', seen(event))], { phase: 'finished' }));
    expect(one(anEvent())).toContain('✅ Test of order-shipped in production · done');
    expect(one(FAILED)).toContain('🔴 Test of order-shipped in production · done');
  });

  test('says how to look it up later when time is over', () => {
    expect(words({}, progress([to('user-1', AWAITED)], { phase: 'out-of-time' }))).toContain(
      'Later: /notif event txn_user-1 env:production',
    );
  });

  test('says that a lost answer is found out by reading, never by sending again', () => {
    expect(words({}, progress([to('user-1', AWAITED)], { isAnswerLost: true }))).toContain('never sends it again');
    expect(words({ isResumed: true }, progress([to('user-1', AWAITED)], { isAnswerLost: true }))).toContain(
      'Notif was restarted',
    );
  });

  test('says what keeps it from being read just now', () => {
    const trouble = new ServiceError('production', 'listEvents', { kind: 'unreachable' });
    expect(words({}, progress([to('user-1', AWAITED)], { trouble }))).toMatch(
      /production could not be read.*Asking again\./,
    );
  });

  test.each(['user', HOSTILE, '&'.repeat(255)])('tells of a hundred recipients in one message: %#', (name) => {
    const recipients = Array.from({ length: 100 }, (_, n) => to(`${name}${n}`, n % 2 === 0 ? seen(FAILED) : AWAITED));
    const message = progressMessage(TOLD, progress(recipients), PRODUCTION);
    expect(wordsOf(message)).toContain('50 of 100 done');
    expectFit(message);
  });
});
