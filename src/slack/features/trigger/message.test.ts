import { expect, test } from 'vitest';
import { ServiceError } from '../../../lib/errors.ts';
import { Payload } from '../../../lib/text/payload.ts';
import { NO_OPTIONS } from '../../../service/event.testing.ts';
import { PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { againBlocks, whyNothingWasSent } from './message.ts';

test('a refusal shows the rows that the service names', () => {
  const events = ['user-1', 'user-2', 'user-3'].map((subscriberId) => ({
    subscriberId,
    payload: new Payload({}),
    profile: null,
  }));
  const plan = { environment: 'production', workflow: 'w', events, options: NO_OPTIONS };
  const refusal = (fields: string[]) =>
    new ServiceError('production', 'triggerEvents', { kind: 'refused', status: 422, message: '', fields });
  const error = refusal(['events.1.to', 'events.2.payload', 'events.2.to', 'events']);
  expect(`${whyNothingWasSent(error, plan)}`).toBe(
    'Nothing was sent. It objects to row 2 (`user-2`), row 3 (`user-3`).',
  );
  expect(`${whyNothingWasSent(refusal([]), plan)}`).toBe('Nothing was sent.');
});

test('an event that is sent again names the channels that deliver it once more', () => {
  const sent = { workflow: 'order-shipped', subscriberId: 'user-1', environment: PRODUCTION };
  const delivered = [
    { channel: 'email', provider: 'sendgrid' },
    { channel: 'in_app', provider: null },
  ];
  const words = wordsOf({ blocks: againBlocks(sent, delivered) });
  expect(words).toContain('Send order-shipped to user-1 again in production');
  expect(words).toContain('Already delivered, and delivered once more by this: Email · SendGrid, In-app.');
  expect(wordsOf({ blocks: againBlocks(sent, []) })).not.toContain('Already delivered');
});
