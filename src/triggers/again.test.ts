import { expect, test } from 'vitest';
import { Payload } from '../lib/text/payload.ts';
import { aJob, anEvent } from '../service/event.testing.ts';
import { originalOf, parseRecipients, withOriginals } from './plan.ts';

test('sending again starts from the workflow, the subscriber, the payload, and each first override and context', () => {
  const jobs = [
    { ses: { a: 1 }, fcm: 1 },
    { ses: { a: 2 }, sns: 3 },
  ].map((one) => aJob({ overrides: new Payload(one) }));
  const contextKeys = ['tenant:acme', 'region:eu:west', 'tenant:other', 'odd', ':x', 'y:'];
  const { advanced, payload, ...rest } = originalOf(anEvent({ jobs, contextKeys }), 'production');
  expect(rest).toEqual({ environment: 'production', workflow: 'order-shipped', subscriberId: 'user-1' });
  expect(payload.forTrigger()).toEqual(anEvent().payload.forTrigger());
  expect(advanced.forTrigger()).toEqual({
    overrides: { ses: { a: 1 }, fcm: 1, sns: 3 },
    context: { tenant: 'acme', region: 'eu:west' },
  });
  expect(originalOf(anEvent(), 'production').advanced.isEmpty).toBe(true);
});

test.each([
  [{ subscriber: null }, 'no subscriber'],
  [{ workflow: null }, 'deleted'],
])('an event with %j cannot be sent again', (change, why) => {
  expect(() => originalOf(anEvent(change), 'production')).toThrow(why);
});

const ORIGINAL = originalOf(
  anEvent({ payload: new Payload({ orderId: 'A-17', token: 'secret-1', card: '•••• 4242' }) }),
  'production',
);

function sent(
  change: { subscriber?: string; environment?: string; workflow?: string; payload?: object },
  isTooLong = false,
) {
  const { subscriber = 'user-1', environment = 'production', workflow = 'order-shipped', payload = {} } = change;
  const filled = { environment, workflow, rows: parseRecipients(subscriber), advanced: new Payload({}) };
  return withOriginals(
    { ...filled, payload: new Payload({ ...payload }) },
    ORIGINAL,
    () => isTooLong,
  ).payload.forTrigger();
}

test('what was left masked has its original, beside what was changed', () => {
  const shown = ORIGINAL.payload.masked();
  expect(sent({ payload: shown })).toEqual({ orderId: 'A-17', token: 'secret-1', card: '•••• 4242' });
  expect(sent({ payload: { ...shown, orderId: 'B-18' } })).toEqual({
    orderId: 'B-18',
    token: 'secret-1',
    card: '•••• 4242',
  });
});

test('an empty payload is the original only if that was too long to show', () => {
  expect(sent({})).toEqual({});
  expect(sent({}, true)).toEqual({ orderId: 'A-17', token: 'secret-1', card: '•••• 4242' });
});

test.each([{ subscriber: 'user-1\nuser-2' }, { environment: 'staging' }, { workflow: 'other' }])(
  'no original goes where the event did not go: %j',
  (elsewhere) => {
    expect(() => sent({ ...elsewhere, payload: ORIGINAL.payload.masked() })).toThrow('Type it in full.');
    expect(() => sent(elsewhere, true)).toThrow('Type it in full.');
    expect(sent({ ...elsewhere, payload: { orderId: 'A-17', card: '•••• 4242' } })).toMatchObject({ orderId: 'A-17' });
  },
);
