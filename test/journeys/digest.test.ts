import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bounced, delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const MINUTE = 60_000;
/** Longer than the time between two edits of a message. */
const HALF_A_MINUTE = 31_000;

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
    const digest = await ann.sees('incident', ONCALL);
    expect(digest.words).toMatch(/🔴 Email · SendGrid — order-shipped · #\d+\nFailed: Unauthorized \(401\)/);
    expect(digest.words).toContain('1 subscriber');
    await log.until('message posted');

    service.world.plantEvent(failed('email', { subscriber: 'user-2' }));
    passes(HALF_A_MINUTE);
    const later = await ann.sees('2 subscribers', ONCALL);
    expect(later.spot).toEqual(digest.spot);
    expect(ann.messages(ONCALL)).toHaveLength(1);
  });

  test('has a button that looks up an example of a row', async () => {
    const { ann } = world;
    await ann.clicks('Look up', await ann.sees('for user-2', ONCALL));
    await ann.gets('🔴 Failed · order-shipped for user-2', ONCALL);
  });

  test('reports an email that bounced after it was sent', async () => {
    const { ann, service, passes, log } = world;
    const read = log.saying('"newEvents":1').length;
    const { _id, jobs } = service.world.plantEvent(delivered({ subscriber: 'bouncer' }));
    await log.until('"newEvents":1', read + 1);
    const { detail, raw = null } = bounced().jobs?.[0]?.details?.at(-1) ?? { detail: '' };
    service.world.addLateDetail(_id, jobs.length - 1, { detail, raw, status: 'Failed', source: 'Webhook' });
    passes(5 * MINUTE);
    const digest = await ann.sees('for bouncer', ONCALL);
    expect(digest.words).toContain('Bounced:');
  });
});
