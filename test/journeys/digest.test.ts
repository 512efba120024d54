import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bounced, delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const MINUTE = 60_000;

describe('a digest', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await world.log.until('events checked');
  });
  afterAll(() => world.close());

  test('arrives by itself once after a failure, and updates its counts in place', async () => {
    const { ann, service, passes, log } = world;
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    const digest = await ann.sees('🔴 production · Email via SendGrid fails: Unauthorized (401)', ONCALL);
    expect(digest.words).toMatch(
      /\n1 of 1 since \d\d:\d\d UTC · 1 person · order-shipped · #1\n→ Our credentials: Check/,
    );
    await log.until('message posted');

    service.world.plantEvent(failed('email', { subscriber: 'user-2' }));
    passes(MINUTE);
    const later = await ann.sees('2 people', ONCALL);
    expect(later.spot).toEqual(digest.spot);
    expect(ann.messages(ONCALL)).toHaveLength(1);
  });

  test('has a button that looks up an example of a row', async () => {
    const { ann } = world;
    await ann.clicks('Example', await ann.sees('2 people', ONCALL));
    await ann.gets('🔴 Failed · order-shipped for user-', ONCALL);
  });

  test('gathers an email that bounced after it was sent in a quiet line', async () => {
    const { ann, service, passes, log } = world;
    const read = log.saying('"newEvents":1').length;
    const { _id, jobs } = service.world.plantEvent(delivered({ subscriber: 'bouncer' }));
    await log.until('"newEvents":1', read + 1);
    const { detail, raw = null } = bounced().jobs?.[0]?.details?.at(-1) ?? { detail: '' };
    service.world.addLateDetail(_id, jobs.length - 1, { detail, raw, status: 'Failed', source: 'Webhook' });
    passes(16 * MINUTE);
    const digest = await ann.sees('⚪ Single failures, no pattern: 1× ', ONCALL);
    expect(digest.mentionsMe).toBe(false);
  });
});
