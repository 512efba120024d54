import { beforeAll, describe, expect, test } from 'vitest';
import {
  bounced,
  canceledFollower,
  delivered,
  failed,
  skippedByCondition,
  undeliverable,
  unreadable,
} from '../../sandbox/service/examples.ts';
import { outageOf } from '../../sandbox/service/provider-failures.ts';
import type { World as Service } from '../../sandbox/service/world.ts';
import { GENERAL, ONCALL, type ShownMessage } from '../support/person.ts';
import { MINUTE, openWorld, openWorldAsleep, sharedWorld } from '../support/world.ts';

/** Gives a failure a cause of its own. */
const said = (word: string) => ({ raw: JSON.stringify({ message: word }) });

describe('an alert', () => {
  const world = sharedWorld(() => openWorld());
  beforeAll(async () => {
    await world.log.until('Events checked');
  });

  /** Returns the time of day in UTC, some minutes ahead. */
  const timeIn = (minutes: number) =>
    new Date(world.service.world.now() + minutes * MINUTE).toISOString().slice(11, 16);

  /** Waits for the alert of another failure: everything that was due before it is alerted by then. */
  async function somethingElseFails(word: string): Promise<void> {
    const { ann, service, passes } = world;
    service.world.plantEvent(failed('email', {}, said(word)));
    passes(MINUTE);
    await ann.sees(word, ONCALL);
  }

  test('arrives by itself once after a failure, updates its counts in place, and leads to an example', async () => {
    const { ann, service, passes, log } = world;
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    passes(MINUTE);
    const digest = await ann.sees('🔴 production · Email via SendGrid fails: credentials refused (401)', ONCALL);
    expect(digest.words).toMatch(
      /\n1 of 1 since \d\d:\d\d UTC · 1 person · order-shipped · #1\n→ Our credentials: Check/,
    );
    await log.until('Message posted');

    service.world.plantEvent(failed('email', { subscriber: 'user-2' }));
    passes(MINUTE);
    const later = await ann.sees('2 people', ONCALL);
    expect(later.spot).toEqual(digest.spot);
    expect(ann.messages(ONCALL)).toHaveLength(1);
    await ann.clicks('Example', later);
    await ann.gets('🔴 order-shipped for user-', ONCALL);
  });

  test('has a line for an email that bounced after it was sent, without a mention', async () => {
    const { ann, service, passes, log } = world;
    const read = log.saying('"newEvents":1').length;
    const { _id, jobs } = service.world.plantEvent(delivered({ subscriber: 'bouncer' }));
    passes(MINUTE);
    await log.until('"newEvents":1', read + 1);
    const { detail, raw = null } = bounced().jobs?.[0]?.details?.at(-1) ?? { detail: '' };
    service.world.addLateDetail(_id, jobs.length - 1, { detail, raw, status: 'Failed', source: 'Webhook' });
    // More at once would be time in which Notif didn't run.
    for (const minutes of [7, 7, 7]) {
      const checked = log.saying('Events checked').length;
      passes(minutes * MINUTE);
      await log.until('Events checked', checked + 1);
    }
    const digest = await ann.sees('Single failures, no pattern: 1× ', ONCALL);
    expect(digest.mentionsMe).toBe(false);
  });

  test('goes to the channel of each watch that covers the failure, and notifies the user group that it mentions', async () => {
    const { ann, service, passes } = world;
    await ann.types('/notif watch channel:sms mention:@oncall summary:off');
    await ann.sees('Only channel sms', GENERAL);
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    service.world.plantEvent(failed('sms', { subscriber: 'user-2' }, outageOf('twilio')));
    passes(MINUTE);
    await ann.isMentioned('SMS via Twilio', GENERAL);
    await ann.sees('Email via SendGrid', ONCALL);
    await ann.sees('SMS via Twilio', ONCALL);
    expect(ann.messages(GENERAL).filter(({ words }) => words.includes('SendGrid'))).toEqual([]);
    await ann.types('/notif unwatch');
    await ann.sees('removed a watch', GENERAL);
  });

  test('has a daily summary, posted once', async () => {
    const { ann, passes } = world;
    await ann.types(`/notif watch channel:sms tz:UTC summary:${timeIn(4)}`);
    await ann.sees('daily summary at', GENERAL);
    passes(5 * MINUTE);
    await somethingElseFails('fox');
    passes(MINUTE);
    const { words } = await ann.sees('Daily summary', GENERAL);
    expect(words).toMatch(/production · \d+ events?, none failed/);
    await somethingElseFails('gnu');
    expect(ann.messages(GENERAL).filter((message) => message.words.includes('Daily summary'))).toHaveLength(1);
  });
});

describe('the first digests', () => {
  const world = sharedWorld(() => openWorldAsleep({ environments: ['production', 'staging'] }));
  let production: ShownMessage;
  let staging: ShownMessage;
  beforeAll(async () => {
    plantOutage(world.serviceOf('production').world);
    plantOddities(world.serviceOf('staging').world);
    await world.start();
    production = await world.ann.sees('production · 13 new', ONCALL);
    staging = await world.ann.sees('staging · 3 new', ONCALL);
  });

  test('cover the hour before the start, keep environments apart, and mark failures of tests', () => {
    expect(staging.words).toContain('Push via FCM failed “customer”');
    expect(staging.words).toContain('Test: SMS via Twilio fails “tester”');
    expect(staging.words).not.toContain('long-ago');
    expect(production.words).not.toContain('customer');
    expect(world.ann.messages(ONCALL)).toHaveLength(2);
  });

  test('have at most ten rows, and show the other incidents by a click', async () => {
    expect(production.words.match(/ · #\d+$/gm)).toHaveLength(10);
    expect(production.words).toContain('… and 3 more incidents');
    await world.ann.clicks('Show all', production);
    const all = await world.ann.gets(' · 13 incidents', ONCALL);
    expect(all.words.match(/^\S+ #\d+ .* \| Look up$/gm)).toHaveLength(13);
  });

  test('have a menu in each row, by which one of several incidents is assigned', async () => {
    const { ann, ben } = world;
    const number = /“koi”.* · (#\d+)$/m.exec(production.words)?.[1];
    await ann.clicks('Assign…', production, '“koi”');
    expect((await ann.seesModal('They get a direct message')).words).toContain(`“koi” · production · ${number}`);
    await ann.fillsIn({ 'Assign to': 'ben' });
    expect(await ann.submits()).toEqual([]);
    await ann.gets(`🙋 Assigned ${number} Email via SendGrid to ⟨user U0BEN⟩.`, ONCALL);
    expect((await ben.sees('assigned this incident to you', ben.directMessages)).words).toContain('“koi”');
    const isShown = /“koi”.*\n.*\n🙋 ⟨user U0BEN⟩/;
    await expect.poll(() => ann.messages(ONCALL).some(({ words }) => isShown.test(words))).toBe(true);
  });

  test('leave out what triggers no alerts, which /notif failures shows', async () => {
    expect(staging.words).not.toContain('undeliverable');
    const answer = await world.ann.asks('/notif failures since:1h env:staging', ONCALL);
    expect(answer.words).toContain('2 undeliverable · 1 not sent: an earlier step failed · 1 skipped by design');
    expect(answer.words).toMatch(/\d events? unreadable/);
  });
});

/** Plants failures of many causes from before Notif started. */
function plantOutage(service: Service): void {
  const createdAt = service.now() - 2 * MINUTE;
  for (const word of ['ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibex', 'jay', 'koi', 'lynx']) {
    service.plantEvent(failed('email', { createdAt }, said(word)));
  }
  service.plantEvent(failed('sms', { workflow: 'payment-failed', createdAt }, outageOf('twilio')));
}

function plantOddities(service: Service): void {
  service.plantEvent(failed('push', { createdAt: service.now() - 70 * MINUTE }, said('long-ago')));
  service.plantEvent(failed('push', { createdAt: service.now() - 50 * MINUTE }, said('customer')));
  const { jobs } = service.plantEvent(failed('sms', {}, said('tester')));
  for (const detail of jobs.flatMap(({ executionDetails }) => executionDetails)) detail.isTest = true;
  for (const example of [undeliverable, undeliverable, skippedByCondition, canceledFollower]) {
    service.plantEvent(example());
  }
  service.plantEvent(unreadable());
}
