import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ExplainedCause, explainCause, failureCauses } from '../causes/explain-cause.ts';
import { aClient, answering, PERSON } from '../service/client.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { retrieveOwnSteps } from '../service/steps.ts';
import { judge } from './judge.ts';

/** Answers of a real server, rid of what isn't read. */
const FOLDER = new URL('../../test/recordings/events/', import.meta.url);
const NOW = new Date('2026-11-28T08:05:00Z');

type Row = [name: string, verdict: string, ...failures: string[]];

/** Each failure that counts: the provider that was tried, whose trouble it is, the cause. */
const EVENTS: readonly Row[] = [
  [
    'analytics-traces-event-push-three-providers',
    'partly-failed',
    'fcm · credentials · Failed to parse private key',
    'expo · network · request to https://exp.host',
  ],
  ['chat-404', 'failed', 'chat-webhook · recipient · no such device token (404)'],
  ['chat-429', 'failed', 'chat-webhook · limits · Too many requests, slow down (rate_limited)'],
  ['chat-500', 'failed', 'chat-webhook · provider · Request failed with status code 500'],
  ['chat-delivered-with-phone', 'delivered'],
  ['chat-empty', 'failed', 'chat-webhook · provider · Request failed with status code 500'],
  ['chat-html', 'failed', 'chat-webhook · provider · Request failed with status code 502'],
  ['chat-huge', 'failed', 'chat-webhook · content · invalid (400)'],
  ['chat-no-channel-with-phone', 'undeliverable'],
  ['condition-skipped-v2', 'undeliverable'],
  ['delay-then-failed', 'failed', 'nodemailer · recipient · 550 5.1.1'],
  ['digest-master', 'failed', 'nodemailer · recipient · 452 4.2.2'],
  ['digest-merged', 'delivered'],
  ['email-451-greylist', 'failed', 'nodemailer · nobody · 451 4.7.1 Greylisting'],
  ['email-554-relay', 'failed', 'nodemailer · setup · 554 5.7.1'],
  ['email-auth-535', 'failed', 'nodemailer · credentials · 535 5.7.8'],
  ['email-connection-dropped', 'failed', 'nodemailer · network · Unexpected provider error (ECONNECTION)'],
  ['email-connection-refused', 'failed', 'nodemailer · network · Unexpected provider error (ESOCKET)'],
  ['email-no-address', 'undeliverable'],
  ['email-no-such-integration', 'failed', 'none · setup · Subscriber does not have an active integration'],
  ['email-sendgrid-dns', 'failed', 'sendgrid · network · getaddrinfo ENOTFOUND api.sendgrid.com'],
  ['email-webhook-failed', 'failed', 'email-webhook · none · webhook send failed'],
  ['followers-canceled', 'failed', 'generic-sms · provider · Internal provider error'],
  ['http-step-failed', 'failed', 'none · setup · Action step execution failed: Requests to private'],
  ['push-429', 'failed', 'push-webhook · limits · Request failed with status code 429'],
  ['push-503', 'failed', 'push-webhook · provider · Request failed with status code 503'],
  ['push-empty', 'failed', 'push-webhook · provider · Request failed with status code 500'],
  ['push-hang', 'failed', 'push-webhook · network · timeout of 300000ms exceeded'],
  ['push-no-tokens', 'undeliverable'],
  ['push-reset', 'failed', 'push-webhook · network · socket hang up'],
  [
    'push-three-providers',
    'partly-failed',
    'fcm · credentials · Failed to parse private key',
    'expo · network · request to https://exp.host',
  ],
  ['sms-401', 'failed', 'generic-sms · credentials · Invalid API key provided'],
  ['sms-403', 'failed', 'generic-sms · setup · Sender not allowed'],
  ['sms-404', 'failed', 'generic-sms · recipient · no such device token'],
  ['sms-500', 'failed', 'generic-sms · provider · Internal provider error'],
  ['sms-delivered', 'delivered'],
  ['sms-twilio-dns', 'failed', 'twilio · network · getaddrinfo ENOTFOUND api.twilio.com'],
  ['throttle-passed', 'delivered'],
  ['throttle-skipped', 'skipped-by-design'],
  ['topic-recipient-failed', 'partly-failed', 'nodemailer · recipient · 550 5.1.1'],
  ['with-context', 'failed', 'nodemailer · recipient · 550 5.1.1'],
  ['with-tenant', 'delivered'],
];

const ownerOf = (cause: ExplainedCause | undefined) => (cause?.known ? cause.entry.whose : 'none');

function judged(event: TriggeredEvent | null) {
  if (event === null) throw new Error('the recording shows no event');
  const judgement = judge(event, NOW);
  const causes = failureCauses(judgement, explainCause);
  const failures = judgement.failures
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'partly-failed')
    .map((failure) => `${failure.provider ?? 'none'} · ${ownerOf(causes.get(failure))} · ${failure.cause.text}`);
  return { verdict: judgement.verdict, failures };
}

const recorded = (name: string) => readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');

describe('a recorded event', () => {
  test.each(EVENTS)('%s is judged as somebody who reads it would', async (name, verdict, ...failures) => {
    const served = await answering(200, recorded(name));
    const { client } = aClient(served.url);
    const read = judged(await retrieveOwnSteps('an ID', client, PERSON));
    expect(read.verdict).toBe(verdict);
    expect(read.failures).toEqual(failures.map((failure) => expect.stringContaining(failure)));
  });

  test('is in the table if there is a recording', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
    const whole = names.filter(
      (name) => name !== 'analytics-stepruns-event-topic-recipient' && !name.includes('-list-'),
    );
    expect(EVENTS.map(([name]) => name).sort()).toEqual(whole.sort());
  });
});

test("the steps of a transaction's other recipients are never taken for an event's own", async () => {
  const answer = recorded('analytics-stepruns-event-topic-recipient');
  const listed = `{"data":[${JSON.stringify(JSON.parse(recorded('topic-recipient-failed')).data)}],"hasMore":false}`;
  const served = await answering(200, answer);
  const list = await answering(200, listed);
  const { client } = aClient(served.url);
  const { listEvents } = aClient(list.url).client;
  const event = await retrieveOwnSteps('an ID', { ...client, listEvents }, PERSON);
  expect(judged(event)).toMatchObject({ verdict: 'partly-failed', failures: [expect.stringMatching(/^nodemailer/)] });
  const unlisted = await retrieveOwnSteps(
    'an ID',
    { ...client, listEvents: aClient((await answering(200, '{"data":[],"hasMore":false}')).url).client.listEvents },
    PERSON,
  );
  expect(unlisted).toMatchObject({ listsSteps: false, jobs: [] });
});

test('each failed step of a list without details is a failure, of which nobody knows the reason', async () => {
  const served = await answering(200, recorded('analytics-traces-list-limit50'));
  const { items } = await aClient(served.url).client.listEvents({}, PERSON);
  const failures = items.flatMap((event) => judge(event, NOW).failures);
  const failedSteps = items.flatMap(({ jobs }) => jobs).filter(({ status }) => status === 'failed');
  expect(failures.filter(({ verdict }) => /failed/.test(verdict))).toHaveLength(failedSteps.length);
  expect(failures.filter(({ isUnexplained }) => isUnexplained).length).toBeGreaterThan(30);
});
