import { describe, expect, it } from 'vitest';
import {
  bounced,
  canceledFollower,
  delivered,
  failed,
  skippedByCondition,
  undeliverable,
  unreadable,
} from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld, inWorldAsleep } from '../support/world.ts';

/** A message is edited at most once in this time. */
const HALF_A_MINUTE = 31_000;

describe.concurrent('a digest', () => {
  it(
    'arrives by itself after a failure, once, and counts on in its place',
    inWorld({}, async ({ ann, service, passes, log }) => {
      service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
      const digest = await ann.sees('failure group', ONCALL);
      expect(digest.words).toContain('🔴 Email · SendGrid — order-shipped\nFailed: Unauthorized (401)');
      expect(digest.words).toContain('1 subscriber');
      await log.until('digest posted');

      service.world.plantEvent(failed('email', { subscriber: 'user-2' }));
      passes(HALF_A_MINUTE);
      const later = await ann.sees('2 subscribers', ONCALL);
      expect(later.spot).toEqual(digest.spot);
      expect(ann.messages(ONCALL)).toHaveLength(1);
    }),
  );

  it(
    'tells the hour before the first start, and says so',
    inWorldAsleep({}, async ({ ann, service, start }) => {
      const now = service.world.now();
      service.world.plantEvent(failed('email', { subscriber: 'long-ago', createdAt: now - 70 * 60_000 }));
      service.world.plantEvent(failed('sms', { subscriber: 'just-now', createdAt: now - 50 * 60_000 }));
      await start();
      const digest = await ann.sees('The first look: it covers the hour before Notif started.', ONCALL);
      expect(digest.words).toContain('for just-now');
      expect(digest.words).not.toContain('long-ago');
    }),
  );

  it(
    'tells of an e-mail that came back after it had been sent',
    inWorld({}, async ({ ann, service, passes, log }) => {
      const { _id, jobs } = service.world.plantEvent(delivered({ subscriber: 'bouncer' }));
      await log.until('events read');
      const { detail, raw = null } = bounced().jobs?.[0]?.details?.at(-1) ?? { detail: '' };
      service.world.addLateDetail(_id, jobs.length - 1, { detail, raw, status: 'Failed', source: 'Webhook' });
      passes(5 * 60_000);
      const digest = await ann.sees('for bouncer', ONCALL);
      expect(digest.words).toContain('Bounced:');
    }),
  );

  it(
    'only counts what wakes nobody, and lists it by a click',
    inWorldAsleep({}, async ({ ann, service, start }) => {
      for (const example of [undeliverable, undeliverable, skippedByCondition, canceledFollower]) {
        service.world.plantEvent(example());
      }
      await start();
      const digest = await ann.sees('Counted: 2 undeliverable · 2 skipped by design', ONCALL);
      expect(digest.words).toContain('1 failure group');
      await ann.clicks('List', digest);
      const list = await ann.gets('Undeliverable', ONCALL);
      expect(list.words).toContain('Skipped by design');
    }),
  );

  it(
    'leads from a row to the event behind it',
    inWorld({}, async ({ ann, service }) => {
      service.world.plantEvent(failed('email', { subscriber: 'user-0042' }));
      const digest = await ann.sees('for user-0042', ONCALL);
      await ann.clicks('Look up', digest);
      await ann.gets('🔴 Failed · order-shipped for user-0042', ONCALL);
    }),
  );

  it(
    'puts what is critical and severe first, ten groups at most, and shows the others by a click',
    inWorldAsleep({}, async ({ ann, service, start }) => {
      for (const number of Array(12).keys()) {
        service.world.plantEvent(
          failed('email', { subscriber: `user-${number}` }, { raw: `{"message":"cause ${letters(number)}"}` }),
        );
      }
      service.world.plantEvent(failed('sms', { workflow: 'payment-failed' }));
      await start();
      const digest = await ann.sees('13 failure groups', ONCALL);
      expect(digest.words).toMatch(/\n🔴 SMS · Twilio — payment-failed · critical · severity high\n/);
      expect(digest.words.indexOf('payment-failed')).toBeLessThan(digest.words.indexOf('order-shipped'));
      expect(digest.words).toContain('3 more groups');
      await ann.clicks('Show', digest);
      const rest = await ann.gets('order-shipped', ONCALL);
      console.log(rest.words);
    }),
  );

  it(
    'puts test-flagged failures apart',
    inWorldAsleep({}, async ({ ann, service, start }) => {
      const { _id } = service.world.plantEvent(failed('sms', { subscriber: 'tester' }));
      for (const detail of service.world.event(_id).jobs[0]?.executionDetails ?? []) detail.isTest = true;
      service.world.plantEvent(failed('email', { subscriber: 'customer' }));
      await start();
      const digest = await ann.sees('Tests: marked as tests by the service', ONCALL);
      expect(digest.words).toMatch(/customer[\s\S]*Tests: marked as tests[\s\S]*tester/);
    }),
  );

  it(
    'says how many events could not be read',
    inWorldAsleep({}, async ({ ann, service, start }) => {
      service.world.plantEvent(unreadable());
      service.world.plantEvent(failed());
      await start();
      await ann.sees('1 event read · 1 failed (100 %) · 1 could not be read', ONCALL);
    }),
  );

  it(
    'keeps environments apart',
    inWorldAsleep({ environments: ['production', 'staging'] }, async ({ ann, serviceOf, start }) => {
      serviceOf('production').world.plantEvent(failed('email', { subscriber: 'customer' }));
      serviceOf('staging').world.plantEvent(failed('email', { subscriber: 'tester' }));
      await start();
      const production = await ann.sees('production · 1 failure group', ONCALL);
      const staging = await ann.sees('staging · 1 failure group', ONCALL);
      expect(production.words).toContain('for customer');
      expect(staging.words).toContain('for tester');
    }),
  );
});

/** Numbers are taken out of causes, so what tells causes apart must be words. */
function letters(number: number): string {
  return 'abcdefghijkl'.charAt(number).repeat(5);
}
