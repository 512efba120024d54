import { expect, test } from 'vitest';
import { resendFlow } from './resend.ts';

test('sending again refuses more workflows than its preview can keep', () => {
  const [choose] = resendFlow(Object.create(null)).routes;
  if (choose?.surface !== 'view') throw new Error('its first route takes the form');
  const kept = { intent: 'i', answerUrl: null, channel: null, incidentId: 1, environment: 'production', choices: null };
  const form = { id: 'V1', callbackId: choose.callbackId, privateMetadata: JSON.stringify(kept), blockIds: [] };
  const typed: Record<string, string> = { 'resend.age': '24h', 'resend.limit': '9' };
  const chosen = (count: number) => Array.from({ length: count }, (_, n) => `workflow-${n}`);
  const submit = (count: number) => {
    const valuesIn = (id: string) => (id === 'resend.workflows' ? chosen(count) : []);
    return choose.take({ ...form, valuesIn, valueIn: (id) => typed[id] ?? null, initialIn: () => null });
  };
  expect(submit(15).is).toBe('taken');
  expect(submit(16)).toEqual({ is: 'refused', errors: { 'resend.workflows': expect.stringContaining('at most 15') } });
});
