import { describe, expect, test } from 'vitest';
import { anEvent } from '../../domain/event.testing.ts';
import { expectView, fieldsIn, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { readNewPayload, readSendAgainForm, sendAgainView, whyNotAgain } from './send-again-modal.ts';

describe('the form for sending again', () => {
  const request = { environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } } as const;
  const again = {
    intent: 'intent-1',
    answerUrl: null,
    channel: 'C0GENERAL',
    request,
    environment: PRODUCTION,
    event: anEvent(),
  };

  test('says what is sent to whom, and what can not be restored', () => {
    const words = wordsOf(sendAgainView({ ...again, payload: 'as-it-was' }));
    expect(words).toContain('Send order-shipped to user-1 again in production');
    expect(words).toContain('What can not be restored: actor, tenant, overrides, attachments and context');
  });

  test('asks for a payload only where a new one is wanted', () => {
    const labels = (payload: 'as-it-was' | 'new') => Object.keys(fieldsIn(sendAgainView({ ...again, payload })));
    expect(labels('as-it-was')).toEqual(['What to send']);
    expect(labels('new')).toEqual(['What to send', 'Payload']);
    expectView(sendAgainView({ ...again, payload: 'new' }));
  });

  test('keeps what it is about', () => {
    const view = sendAgainView({ ...again, payload: 'new' });
    expect(readSendAgainForm(view.private_metadata ?? '')).toEqual({
      intent: 'intent-1',
      answerUrl: null,
      channel: 'C0GENERAL',
      request,
    });
  });

  test('reads the payload as it was, a new one, or what is wrong with that', () => {
    const answers = (values: Record<string, string>) => (blockId: string) => values[blockId] ?? null;
    expect(readNewPayload(answers({ 'trigger.payload-choice': 'as-it-was' }))).toEqual({ payload: null });
    expect(readNewPayload(answers({ 'trigger.payload-choice': 'new', 'trigger.new-payload': '[]' }))).toEqual({
      errors: { 'trigger.new-payload': 'The payload has to be a JSON object. For example: {"orderId": "A-17"}' },
    });
  });

  test('is not for an event without a subscriber or a workflow', () => {
    expect(whyNotAgain(anEvent())).toBeNull();
    expect(whyNotAgain(anEvent({ subscriber: null }))).toContain('no subscriber');
    expect(whyNotAgain(anEvent({ workflow: null }))).toContain('deleted');
  });
});
