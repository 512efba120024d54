import { expect, test } from 'vitest';
import { aDetail, aJob, anEvent, at } from '../../domain/service/event.testing.ts';
import { expectView, HOSTILE, wordsOf } from '../slack.testing.ts';
import { found } from './event-card.testing.ts';
import { explainedView } from './explain-modal.ts';

const failedOf = (detail: string, id = 'j1', provider = 'sendgrid') =>
  aJob({ id, status: 'failed', provider, updatedAt: at(5), details: [aDetail({ detail, provider })] });

test('the explanation covers each failed step: the error, its meaning, whose problem it is, the next step and a link', () => {
  const view = explainedView(found(anEvent({ jobs: [failedOf('Maximum credits exceeded (401)')] })));
  expect(wordsOf(view).split('\n')).toEqual([
    'production · order-shipped for user-1',
    'email · SendGrid: Maximum credits exceeded (401)',
    '💡 The SendGrid account used up the emails of its plan · Our limits · send again once fixed',
    "→ Check the balance and plan of the provider's account. Documentation",
  ]);
  expect(JSON.stringify(view)).toContain('<https://support.sendgrid.com/');
});

test('the explanation covers a step that no detail calls failed, by the warning that its card explains', () => {
  const details = [aDetail({ status: 'Warning', detail: 'Subscriber does not have a configured channel' })];
  const event = found(anEvent({ jobs: [aJob({ type: 'push', status: 'canceled', provider: 'fcm', details })] }));
  expect(wordsOf(explainedView(event)).split('\n').slice(1, 3)).toEqual([
    'push · FCM: Subscriber does not have a configured channel',
    expect.stringContaining('💡 The subscriber has no credentials'),
  ]);
});

test('the explanation says that the error is unknown, and links to the provider’s status page', () => {
  const view = explainedView(found(anEvent({ jobs: [failedOf('A comet hit the data center')] })));
  expect(wordsOf(view)).toContain('Notif has no explanation for this error. See SendGrid status.');
  expect(JSON.stringify(view)).toContain('<https://status.sendgrid.com/|SendGrid status>');
});

test('the explanation says when nothing failed', () => {
  expect(wordsOf(explainedView(found(anEvent())))).toContain('No step of this event has failed.');
  expect(wordsOf(explainedView(found(anEvent({ unreadable: ['jobs'] }))))).toContain(
    "No step of this event is shown as failed, but a part that may hold a failure couldn't be read.",
  );
});

test('the explanation fits Slack’s limits with many failed steps and hostile texts', () => {
  const jobs = Array.from({ length: 80 }, (_, n) => failedOf(HOSTILE.repeat(20), `j${n}`, HOSTILE));
  const view = explainedView(found(anEvent({ jobs })));
  expectView(view);
  expect(wordsOf(view)).toMatch(/\d+ more steps failed/);
});
