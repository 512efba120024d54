import { expect, test } from 'vitest';
import { judge } from '../judging/judge.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { aDetail, aJob, anEvent, at } from '../service/event.testing.ts';
import { answersAbout, type ProviderIds, providerIdsIn } from './provider-answers.ts';

const REQUEST = 'req_8Yh2kLm9Pq3RsT';

test.each<[text: string, found: Partial<ProviderIds>]>([
  [`{"code":21211,"requestId":"${REQUEST}"}`, { requests: [REQUEST] }],
  [`{"body":"{\\"x-request-id\\":\\"${REQUEST}\\"}"}`, { requests: [REQUEST] }],
  ['sg_message_id 14c5d75ce93.dfd.64b469.filter0001.0 dropped', { messages: ['14c5d75ce93.dfd.64b469.filter0001.0'] }],
  ['{"MessageId":"<0100018f3a-000000@email.example>"}', { messages: ['0100018f3a-000000'] }],
  ['sid=SM9f8e7d6c5b4a', { messages: ['SM9f8e7d6c5b4a'] }],
  // Could be a phone number, a person, or no ID at all.
  ['{"message_id":"491701234567"}', {}],
  ['message id: anna.lee@example.com', {}],
  ['inside x1234567890', {}],
])('IDs of a provider are found by the names of their fields: %s', (text, found) => {
  expect(providerIdsIn([new FreeText(text)])).toEqual({ messages: [], requests: [], ...found });
});

test('an answer comes with the IDs of its step, of the provider that is asked about alone', () => {
  const sent = aDetail({ status: 'Success', detail: 'Message sent', raw: '{"messageId":"m-1234567"}' });
  const bounced = aDetail({ id: 'bounce', source: 'Webhook', detail: '550 mailbox gone', createdAt: at(60) });
  const event = anEvent({
    jobs: [
      aJob({ details: [sent, bounced] }),
      aJob({ id: 'job-2', type: 'sms', status: 'failed', provider: 'twilio' }),
    ],
  });
  const judged = { event, judgment: judge(event, at(90)) };
  const answers = answersAbout(judged, { channel: 'email', provider: 'sendgrid' });
  expect(answers).toMatchObject([{ at: at(60), provider: 'sendgrid', messages: ['m-1234567'], requests: [] }]);
  expect(`${answers[0]?.said}`).toContain('550');
  expect(answersAbout(judged, { channel: 'email', provider: 'ses' })).toEqual([]);
});
