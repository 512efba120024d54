import { beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { outageOf } from '../../sandbox/service/provider-failures.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { MINUTE, openWorld, sharedWorld } from '../support/world.ts';

/** More than the single events that a poll retrieves, at one poll in ten seconds. */
const FAILED = 45;

const DOZEN = Array.from({ length: 12 }, (_, index) => `person-${index}`);

describe('a real server', () => {
  const world = sharedWorld(() => openWorld({ variables: { NOTIF_POLL_SECONDS: '10' } }));
  beforeAll(async () => {
    await world.log.until('Events checked');
  });

  test.each([
    ['push', 'fcm', 'push message', 'FCM'],
    ['chat', 'slack', 'chat message', 'Slack'],
  ] as const)(
    'whose %s steps write several errors each has one incident, of the provider that refuses',
    async (type, providerId, what, name) => {
      const { ann, service, passes } = world;
      for (const subscriber of DOZEN) service.world.plantEvent(failed(type, { subscriber }, outageOf(providerId)));
      passes(MINUTE);
      const digest = await ann.sees(`${name} refuses every ${what}`, ONCALL);
      expect(digest.words).toMatch(/\n12 of 12 since .* 12 people/);
    },
  );

  describe('that keeps details in an analytics store', () => {
    test('has each failed step alerted, once, though its lists leave out why most of them failed', async () => {
      const { ann, service, passes } = world;
      service.world.behave({ detailsOfPage: 'the oldest hundred' });
      for (let n = 0; n < FAILED; n++)
        service.world.plantEvent(failed('sms', { subscriber: `user-${n}` }, outageOf('twilio')));
      passes(MINUTE);
      const digest = await ann.sees('an error of the provider (20503)', ONCALL);
      // Those without a reason are an incident of their own until their events are retrieved.
      const whole = await world.fastForward(ann.sees('goes on as #', ONCALL));
      expect(whole.spot).toEqual(digest.spot);
      const peopleByRow = [...whole.words.matchAll(/(\d+) people/g)].map(([, count]) => Number(count));
      expect(peopleByRow.reduce((sum, count) => sum + count)).toBe(FAILED);
      const posts = ann.messages(ONCALL).filter(({ words, threadTs }) => words.includes('Twilio') && threadTs === null);
      expect(posts).toHaveLength(1);
      await ann.types('/notif failures channel:sms since:1h');
      expect((await ann.sees(`${FAILED} events failed`, GENERAL)).words).not.toContain('No reason was given');
    });
  });
});
