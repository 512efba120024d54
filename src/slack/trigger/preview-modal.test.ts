import { describe, expect, test } from 'vitest';
import { Payload } from '../../domain/text/payload.ts';
import { parseRecipients } from '../../domain/triggers/recipients.ts';
import { NO_OPTIONS, planEvents, type TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { expectInForm, fieldsIn, HOSTILE, PRODUCTION, wordsOf } from '../slack.testing.ts';

import type { FormHead } from './modal.ts';
import { previewHead, wrongConfirmation } from './preview-modal.ts';

const LOCKED = { ...PRODUCTION, isProtected: true };

describe('the preview of a test', () => {
  const plan = (rows: string, change: Partial<TriggerPlan> = {}): TriggerPlan => ({
    environment: 'production',
    workflow: 'order-shipped',
    events: rows === '' ? [] : planEvents(parseRecipients(rows), new Payload({}), null),
    options: NO_OPTIONS,
    transactionId: null,
    ...change,
  });
  const preview = (shown: TriggerPlan, environment = PRODUCTION, repeatedRows = 0) =>
    previewHead({ plan: shown, environment, fingerprint: 'print-1', repeatedRows, phase: 'shown' });

  test('shows how much will be sent where, with the first rows, and that nothing has been sent', () => {
    const view = preview(plan('user-1 {"orderId": "A-17"}\nuser-2\nuser-3\nuser-4\nuser-5\nuser-6\nuser-7'));
    const words = wordsOf(view);
    expect(words).toContain('Preview · 7 events of order-shipped in production');
    expect(words).toContain('Nothing was sent yet.');
    expect(words).toContain('1. user-1 { "orderId": "A-17" }\n2. user-2 no payload');
    expect(words).toContain('… and 2 more rows');
    expect(view.submit).toBe('Send 7');
    expect(view.previewed).toBe('print-1');
  });

  test('shows duplicate rows, and subscribers who get several', () => {
    const words = wordsOf(preview(plan('user-1 {"a": 1}\nuser-1 {"a": 2}\nuser-2'), PRODUCTION, 2));
    expect(words).toContain('2 duplicate rows left out: each row is sent once.');
    expect(words).toContain('To 2 subscribers: some get more than one.');
  });

  test('shows values with secrets and contacts masked, and the options for all events', () => {
    const events = [
      {
        subscriberId: 'user-1',
        payload: new Payload({ token: 'sk_live_51abc', email: 'ada@example.com' }),
        profile: new Payload({ email: 'ada@example.com', firstName: 'Ada' }),
      },
    ];
    const overrides = new Payload({ sendgrid: { apiKey: 'SG.secret-key' } });
    const options = { overrides, actor: 'user-0', tenant: 'acme', context: { region: 'eu' } };
    const words = wordsOf(preview(plan('', { events, options, transactionId: 'mine-1' })));
    expect(words).toContain('This updates the subscriber at the service:');
    for (const told of ['Ada', 'a•••@example.com', 'Actor user-0', 'Tenant acme', 'Context region:eu', 'mine-1']) {
      expect(words).toContain(told);
    }
    for (const secret of ['sk_live_51abc', 'ada@', 'SG.secret-key']) expect(words).not.toContain(secret);
  });

  const confirming = (view: FormHead, answer: string): FilledForm => {
    const field = fieldsIn(view)['Preview · 1 event of order-shipped in production'] ?? '';
    const valuesIn = (blockId: string) => (blockId === field && answer !== '' ? [answer] : []);
    return { blockIds: [field], valuesIn, valueIn: (blockId) => valuesIn(blockId)[0] ?? null };
  };

  test('requires a new tick for each plan', () => {
    const view = preview(plan('user-1'));
    expect(wrongConfirmation(confirming(view, 'yes'), PRODUCTION, 'print-1')).toBeNull();
    expect(Object.values(wrongConfirmation(confirming(view, ''), PRODUCTION, 'print-1') ?? {})).toEqual([
      'Tick this to send.',
    ]);
    expect(wrongConfirmation(confirming(view, 'yes'), PRODUCTION, 'print-2')).not.toBeNull();
  });

  test("requires typing a protected environment's name for each plan", () => {
    const view = preview(plan('user-1'), LOCKED);
    expect(wrongConfirmation(confirming(view, ' Production '), LOCKED, 'print-1')).toBeNull();
    expect(Object.values(wrongConfirmation(confirming(view, 'yes'), LOCKED, 'print-1') ?? {})).toEqual([
      'Type production, which is protected, to send there.',
    ]);
    expect(wrongConfirmation(confirming(view, 'production'), LOCKED, 'print-2')).not.toBeNull();
  });

  test('is accepted by Slack, whatever it contains', () => {
    const id = HOSTILE.repeat(4);
    const hostile = new Payload({ [HOSTILE]: HOSTILE.repeat(50) });
    const events = Array.from({ length: 100 }, (_, n) => ({
      subscriberId: `${id}${n}`,
      payload: hostile,
      profile: hostile,
    }));
    const context = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${HOSTILE}${n}`, HOSTILE]));
    const options = { overrides: hostile, actor: id, tenant: id, context };
    const view = preview(plan('', { events, options, workflow: HOSTILE }), LOCKED, 5);
    expectInForm(view);
    const marked = view.blocks.filter(({ type }) => type !== 'input');
    expect(JSON.stringify(marked)).not.toMatch(/<(?:!|@|http)/);
  });
});
