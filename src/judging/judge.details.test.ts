import { describe, expect, test } from 'vitest';
import { cpuMs, longestTurnMs } from '../lib/cpu.testing.ts';
import { withPauses } from '../lib/pauses.ts';
import { aDetail, aJob, anEvent, at } from '../service/event.testing.ts';
import type { Job } from '../service/event.ts';
import { deliveriesOf, judge, judging } from './judge.ts';

function verdictsOf(jobs: Job[]) {
  const judged = judge(anEvent({ jobs }), at(60));
  return { event: judged.verdict, failures: judged.failures.map((failure) => failure.verdict) };
}

describe('a Failed detail of a step with several providers or addresses', () => {
  const fcmRefused = aDetail({ provider: 'fcm', createdAt: at(3) });
  const apnsSent = aDetail({ id: 'd2', status: 'Success', provider: 'apns', createdAt: at(5) });

  test.each([
    ['before', [fcmRefused, apnsSent]],
    ['after', [{ ...fcmRefused, createdAt: at(9) }, apnsSent]],
  ])('says partly failed for a provider that refused %s another one of its step delivered', (_when, details) => {
    for (const type of ['push', 'chat', 'email']) {
      const job = aJob({ type, provider: 'fcm', details });
      expect(verdictsOf([job])).toEqual({ event: 'partly-failed', failures: ['partly-failed'] });
    }
  });

  test("goes by the step's provider where a detail names none", () => {
    const details = [aDetail({ provider: null, createdAt: at(3) }), apnsSent];
    expect(verdictsOf([aJob({ type: 'email', provider: 'fcm', details })]).failures).toEqual(['partly-failed']);
    expect(verdictsOf([aJob({ type: 'email', provider: 'apns', details })]).failures).toEqual(['retried-then-fine']);
    expect(verdictsOf([aJob({ type: 'email', provider: null, details })]).failures).toEqual(['retried-then-fine']);
    const sentByNobody = [fcmRefused, { ...apnsSent, provider: null }];
    const unnamed = aJob({ type: 'email', provider: null, details: sentByNobody });
    expect(verdictsOf([unnamed]).failures).toEqual(['retried-then-fine']);
  });

  test.each([
    ['push', false, 'partly-failed'],
    ['chat', false, 'partly-failed'],
    ['push', true, 'retried-then-fine'],
  ])(
    'takes the later success of a %s step, which sends to several addresses, for a retry only if marked: %s',
    (type, isRetry, verdict) => {
      const sent = aDetail({ ...apnsSent, detail: 'Message sent: apns', raw: null, provider: 'fcm', isRetry });
      const job = aJob({ type, provider: 'fcm', details: [fcmRefused, sent] });
      expect(verdictsOf([job])).toEqual({ event: verdict, failures: [verdict] });
    },
  );

  test.each([
    ['without times', null, null],
    ['with equal times', at(3), at(3)],
    ['with a time of the failure alone', at(3), null],
    ['with a time of the retry alone', null, at(3)],
  ])('takes a success that is marked as a retry for one of the attempt before it: %s', (_, failedAt, retriedAt) => {
    const failed = aDetail({ provider: 'sendgrid', createdAt: failedAt });
    const retried = aDetail({ id: 'd2', status: 'Success', provider: 'sendgrid', isRetry: true, createdAt: retriedAt });
    const step = { type: 'email', provider: 'sendgrid' };
    expect(verdictsOf([aJob({ ...step, details: [failed, retried] })]).event).toBe('retried-then-fine');
    const unmarked = { ...retried, isRetry: false };
    expect(verdictsOf([aJob({ ...step, details: [failed, unmarked] })]).event).toBe('failed');
    const ofAnother = { ...retried, provider: 'ses' };
    expect(verdictsOf([aJob({ ...step, details: [failed, ofAnother] })]).event).toBe('partly-failed');
  });

  test('says skipped by design of whatever failed in a skipped step, and failed of a bounce in one that failed or is not final', () => {
    expect(verdictsOf([aJob({ status: 'skipped', details: [aDetail()] })]).failures).toEqual(['skipped-by-design']);
    const details = [aDetail({ source: 'Webhook' })];
    for (const status of ['queued', 'failed'])
      expect(verdictsOf([aJob({ status, details })]).failures).toEqual(['failed']);
  });

  test("doesn't take a preparation that succeeded for a delivery", () => {
    const prepared = aDetail({ id: 'd2', status: 'Success', detail: 'Content generated', provider: null });
    const details = [{ ...prepared, createdAt: at(1) }, fcmRefused];
    expect(verdictsOf([aJob({ type: 'push', provider: 'fcm', details })]).failures).toEqual(['failed']);
  });

  const failedThen = aDetail({ provider: 'sendgrid', createdAt: at(3) });
  const successBefore = { ...failedThen, id: 'before', status: 'Success', createdAt: at(1) };
  const successAfter = { ...failedThen, id: 'after', status: 'Success', createdAt: at(5) };
  const pendingAfter = { ...successAfter, status: 'Pending' };
  test.each([
    ['a success before it', [successBefore], 'failed'],
    ['something later that is no success', [pendingAfter], 'failed'],
    ['a success before and one after it', [successBefore, successAfter], 'retried-then-fine'],
  ])('takes only a later success for a retry: %s', (_, others, verdict) => {
    expect(verdictsOf([aJob({ type: 'email', details: [failedThen, ...others] })]).event).toBe(verdict);
  });

  test('stays bounced beside a failed step', () => {
    const bounced = aJob({ id: 'a', details: [aDetail({ source: 'Webhook' })] });
    const jobs = [bounced, aJob({ id: 'b', status: 'failed', details: [aDetail()] }), aJob({ id: 'c', details: [] })];
    expect(verdictsOf(jobs)).toEqual({ event: 'partly-failed', failures: ['bounced', 'partly-failed'] });
  });

  test('says partly failed for a failed step if part of another one was delivered', () => {
    const jobs = [
      aJob({ id: 'a', type: 'push', provider: 'fcm', details: [fcmRefused, apnsSent] }),
      aJob({ id: 'b', status: 'failed', details: [aDetail()] }),
    ];
    expect(verdictsOf(jobs)).toEqual({ event: 'partly-failed', failures: ['partly-failed', 'partly-failed'] });
  });
});

describe('a step of which the service says that it was sent', () => {
  const sent = aDetail({ status: 'Success', detail: 'Message sent', createdAt: at(5) });

  test('is a failure that says so, and no delivery, if the service then failed it, alone and beside a delivered step', () => {
    const failed = aJob({ id: 'a', status: 'failed', details: [sent] });
    const event = anEvent({ jobs: [failed] });
    const judgment = judge(event, at(60));
    expect(judgment).toMatchObject({
      verdict: 'failed',
      failures: [{ isUnexplained: false, cause: { text: 'The service says that it was sent, then failed it' } }],
    });
    expect(deliveriesOf(event, judgment)).toEqual([]);
    expect(verdictsOf([failed, aJob({ id: 'b', details: [sent] })])).toEqual({
      event: 'partly-failed',
      failures: ['partly-failed'],
    });
  });

  test.each([
    ['completed', 'delivered', 1],
    ['merged', 'delivered', 0],
    ['canceled', 'skipped-by-design', 0],
    ['skipped', 'skipped-by-design', 0],
    ['delayed', 'in-progress', 0],
    ['pending', 'in-progress', 0],
    ['running', 'in-progress', 0],
  ])('is judged by its status, which is the last word: %s', (status, verdict, deliveries) => {
    const event = anEvent({ jobs: [aJob({ status, details: [sent] })] });
    const judgment = judge(event, at(60));
    expect(judgment.verdict).toBe(verdict);
    expect(deliveriesOf(event, judgment)).toHaveLength(deliveries);
  });
});

describe('the time that judging takes', () => {
  const each = <Item>(item: (n: number) => Item) => Array.from({ length: 20_000 }, (_, n) => item(n));
  const failed = (n: number) => aDetail({ raw: `{"message":"User ${n} unknown"}`, createdAt: at(n / 100) });
  const halfSent = (n: number) => ({ ...failed(n), status: n % 2 ? 'Failed' : 'Success' });

  test.each([
    ['failed details', () => [aJob({ status: 'failed', details: each(failed) })]],
    ['reports of bounces', () => [aJob({ details: each((n) => ({ ...failed(n), source: 'Webhook' })) })]],
    ['details of which half succeeded', () => [aJob({ details: each(halfSent) })]],
    ['details of several devices', () => [aJob({ type: 'push', details: each(halfSent) })]],
    ['steps that are stuck', () => each((n) => aJob({ id: `${n}`, status: 'pending', type: 'delay' }))],
  ])('grows with their number, not with its square: 20,000 %s', (_, jobs) => {
    const event = anEvent({ jobs: jobs() });
    const begun = cpuMs();
    judge(event, at(3_600));
    expect(cpuMs() - begun).toBeLessThan(3_000);
  });

  test('is shared with other work', async () => {
    const event = anEvent({ jobs: [aJob({ details: each((n) => ({ ...failed(n), provider: `${n % 1_000}` })) })] });
    expect(await longestTurnMs(() => withPauses(judging(event, at(60))))).toBeLessThan(150);
  });
});
