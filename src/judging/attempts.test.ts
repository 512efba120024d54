import { describe, expect, test } from 'vitest';
import { atOnce } from '../lib/pauses.ts';
import { aDetail, aJob, at } from '../service/event.testing.ts';
import type { ExecutionDetail, Job } from '../service/event.ts';
import cases from './attempts.cases.json' with { type: 'json' };
import { attemptsOf } from './attempts.ts';

type Change = Parameters<typeof aDetail>[0];

const selecting = (provider: string, change: Change = {}): ExecutionDetail =>
  aDetail({
    status: 'Pending',
    detail: `${provider} provider was selected`,
    provider: 'first',
    selected: { provider, identifier: `${provider}-main` },
    ...change,
  });
const failed = (detail: string, change: Change = {}) => aDetail({ detail, provider: 'first', ...change });
const sent = (change: Change = {}) =>
  aDetail({ status: 'Success', detail: 'Message sent', provider: 'first', ...change });
const reported = (status: string, detail: string, change: Change = {}) =>
  aDetail({ status, detail, source: 'Webhook', provider: 'first', createdAt: at(600), ...change });

const NO_INTEGRATION = 'Subscriber does not have an active integration';
const REFUSED = failed('Unexpected provider error', { raw: '{"message":"key expired","code":"401"}' });

/** By the place in the list: details come a second apart, reports of a webhook ten minutes later. */
function attempts(details: readonly ExecutionDetail[], job: Partial<Job> = {}): string[] {
  const inOrder = details.map((detail, index) => ({
    ...detail,
    id: `${index}`,
    createdAt: detail.createdAt && at(detail.source === 'Webhook' ? 600 + index : index),
  }));
  const isLate = false;
  return atOnce(attemptsOf(aJob({ provider: 'first', details: inOrder, ...job }), isLate)).map(
    ({ provider, verdict, decisive }) => `${provider} ${verdict}${decisive === null ? '' : `: ${decisive.detail}`}`,
  );
}

describe('an attempt', () => {
  test('is made at the provider that was selected, whatever the details name', () => {
    expect(attempts([selecting('sendgrid'), REFUSED], { status: 'failed' })).toEqual([
      'sendgrid failed: Unexpected provider error',
    ]);
    expect(attempts([selecting('sendgrid'), sent()])).toEqual(['sendgrid delivered']);
  });

  test.each(cases.steps)('$title', ({ step, details, expected }) => {
    // A name alone is a provider that was selected.
    const read = details.map(([status = '', detail, raw, source = 'Internal']) =>
      detail === undefined
        ? selecting(status)
        : aDetail({ status, detail, provider: 'first', raw: raw || null, source }),
    );
    expect(attempts(read, step)).toEqual(expected);
  });

  const lacking = failed(NO_INTEGRATION, { raw: 'Integration is either deleted or not active' });
  test('of chat is delivered whatever other providers the subscriber lacks, and undeliverable where there is no other', () => {
    expect(attempts([selecting('slack'), sent(), lacking], { type: 'chat' })).toEqual(['slack delivered']);
    expect(attempts([lacking], { type: 'chat', status: 'failed' })).toEqual([`null undeliverable: ${NO_INTEGRATION}`]);
  });

  test('has failed without an integration where its channel needs one, as email does, or its step names one', () => {
    expect(attempts([lacking], { type: 'email', status: 'failed' })).toEqual([`null failed: ${NO_INTEGRATION}`]);
    const wanted = { ...lacking, namedIntegration: 'kannel-x' };
    expect(attempts([wanted], { type: 'chat', status: 'failed' })).toEqual([`null failed: ${NO_INTEGRATION}`]);
  });

  test.each(cases.undeliverable)('is undeliverable by "%s", whatever the status of its step', (sentence) => {
    for (const status of ['completed', 'failed', 'canceled'])
      expect(attempts([failed(sentence)], { type: 'push', status })).toEqual([`null undeliverable: ${sentence}`]);
    expect(attempts([selecting('fcm'), failed(sentence), selecting('expo'), sent()], { type: 'push' })).toEqual([
      'expo delivered',
    ]);
  });

  test('succeeds on retry if the same provider is selected once more and delivers', () => {
    const again = [selecting('fcm'), REFUSED, selecting('fcm'), sent()];
    expect(attempts(again, { type: 'push' })).toEqual(['fcm retried-then-fine: Unexpected provider error']);
  });

  test('has failed in part if its provider was selected once, and delivered to another device', () => {
    const twoDevices = [selecting('fcm'), REFUSED, sent()];
    expect(attempts(twoDevices, { type: 'push' })).toEqual(['fcm partly-failed: Unexpected provider error']);
  });

  test.each([
    ['sms', 'undelivered - (failed)', 'delivered - (delivered)'],
    ['email', '451 4.7.1 Greylisted, try later - (deferred)', '250 OK - (delivered)'],
  ])('of channel %s is no longer bounced once it was delivered after all', (type, bounce, delivery) => {
    const bounced = [selecting('twilio'), sent(), reported('Failed', bounce)];
    expect(attempts(bounced, { type })).toEqual([`twilio bounced: ${bounce}`]);
    expect(attempts([...bounced, reported('Success', delivery)], { type })).toEqual([
      `twilio retried-then-fine: ${bounce}`,
    ]);
  });

  test.each(cases.webhooks)('is $verdict if its webhook reports "$detail" $raw', ({ detail, raw, verdict }) => {
    expect(attempts([selecting('sendgrid'), sent(), reported('Failed', detail, { raw })])).toEqual([
      `sendgrid ${verdict}: ${detail}`,
    ]);
  });
});
