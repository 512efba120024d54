import { describe, expect, test } from 'vitest';
import { Payload } from '../text/payload.ts';
import { parseRecipients } from './recipients.ts';
import { fingerprintOf, NO_OPTIONS, needsPreview, planEvents, type TriggerPlan } from './trigger-plan.ts';

const ALL = new Payload({ orderId: '', total: 5 });

function planned(text: string, profile: Payload | null = null) {
  return planEvents(parseRecipients(text), ALL, profile);
}

describe('planning events', () => {
  test("overrides the common payload with a row's own", () => {
    expect(planned('user-1\nuser-2 {"orderId": "A-17"}').map(({ payload }) => payload.forTrigger())).toEqual([
      { orderId: '', total: 5 },
      { orderId: 'A-17', total: 5 },
    ]);
  });

  test('counts an identical row once, and accepts several different ones per subscriber', () => {
    const rows = planned('user-1 {"a": 1}\nuser-2\nuser-1 {"a": 2}\nuser-2\nuser-1 {"a": 1}');
    expect(rows.map(({ subscriberId }) => subscriberId)).toEqual(['user-1', 'user-2', 'user-1']);
  });

  test('counts a row once whose payload becomes that of another, whatever the order of its keys', () => {
    expect(planned('user-1\nuser-1 {"total": 5}\nuser-1 {"total": 5, "orderId": ""}')).toHaveLength(1);
    expect(planned('user-1 {"a": {"b": 1, "c": 2}}\nuser-1 {"a": {"c": 2, "b": 1}}')).toHaveLength(1);
    expect(planned('user-1\nuser-1 {"total": "5"}')).toHaveLength(2);
  });
});

describe('a preview before sending', () => {
  test('is required for several events, for a profile and in a protected environment', () => {
    const [open, locked] = [{ isProtected: false }, { isProtected: true }];
    expect(needsPreview({ events: planned('user-1') }, open)).toBe(false);
    expect(needsPreview({ events: planned('user-1\nuser-2') }, open)).toBe(true);
    expect(needsPreview({ events: planned('user-1', new Payload({ locale: 'en' })) }, open)).toBe(true);
    expect(needsPreview({ events: planned('user-1') }, locked)).toBe(true);
    expect(needsPreview({ events: [] }, open)).toBe(false);
  });
});

describe("a plan's fingerprint", () => {
  const plan: TriggerPlan = {
    environment: 'production',
    workflow: 'order-shipped',
    events: planned('user-1 {"password": "hunter2"}'),
    options: NO_OPTIONS,
    transactionId: null,
  };

  test('is the same for the same plan, and differs for any other', () => {
    expect(fingerprintOf({ ...plan, events: planned('user-1 {"password": "hunter2"}') }, 'intent-1')).toBe(
      fingerprintOf(plan, 'intent-1'),
    );
    const others: readonly Partial<TriggerPlan>[] = [
      { environment: 'staging' },
      { workflow: 'other' },
      { transactionId: 'mine' },
      { events: planned('user-1 {"password": "hunter3"}') },
      { events: planned('user-1 {"password": "hunter2"}', new Payload({ locale: 'en' })) },
      { options: { ...NO_OPTIONS, overrides: new Payload({ sendgrid: { password: 'hunter2' } }) } },
      { options: { ...NO_OPTIONS, overrides: new Payload({ sendgrid: { password: 'hunter3' } }) } },
      { options: { ...NO_OPTIONS, tenant: 'acme' } },
    ];
    const fingerprints = others.map((change) => fingerprintOf({ ...plan, ...change }, 'intent-1'));
    expect(fingerprintOf(plan, 'intent-1')).toMatch(/^[\w-]{22}$/);
    expect(new Set([...fingerprints, fingerprintOf(plan, 'intent-1'), fingerprintOf(plan, 'intent-2')]).size).toBe(
      others.length + 2,
    );
  });
});
