import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import type { Faults } from '../../sandbox/notification-service/faults.ts';
import { GENERAL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

type Fault = Parameters<Faults['set']>[1];

/** What each environment's service does when asked for an event, what the person sees, and what to do next. */
const TROUBLES: readonly (readonly [environment: string, fault: Fault | 'nobody there', what: string, next: string])[] =
  [
    ['keyless', { kind: 'status', status: 401 }, 'the API key was refused (401)', 'Check NOTIF_KEYLESS_API_KEY.'],
    ['cheap', { kind: 'status', status: 402 }, "its plan doesn't allow this (402)", "Check the plan's limits."],
    ['busy', { kind: 'status', status: 429 }, 'its rate limit is used up (429)', 'Try again in 1 s.'],
    ['broken', { kind: 'status', status: 500 }, 'an error of its own (500, error ID', "contact the service's owners"],
    [
      'proxied',
      { kind: 'html', status: 503 },
      'a gateway in front of it answered instead (503)',
      'Try again in a minute.',
    ],
    ['mute', { kind: 'empty' }, "the response (200) isn't from a Notification Service", 'Check NOTIF_MUTE_API_URL'],
    ['babbling', { kind: 'nonsense' }, "the response (200) isn't from", 'Check NOTIF_BABBLING_API_URL'],
    [
      'foreign',
      { kind: 'wrong shape' },
      "its response (200) doesn't follow its contract",
      'if NOTIF_FOREIGN_API_URL is',
    ],
    ['dropping', { kind: 'reset' }, 'there is no connection to it', 'check NOTIF_DROPPING_API_URL and the network'],
    ['gone', 'nobody there', 'there is no connection to it', 'check NOTIF_GONE_API_URL and the network'],
  ];

/** An event that every environment has. */
const EVENT = '65f2a1c0d4e5f60718293a4b';

describe('a failing service', () => {
  let world: World;
  beforeAll(async () => {
    const environments = ['sound', 'hanging', ...TROUBLES.map(([environment]) => environment)];
    // Nothing listens on port 1. There is no second poll, which would run into the same problem and log it.
    const variables = { NOTIF_GONE_API_URL: 'http://127.0.0.1:1', NOTIF_POLL_SECONDS: '3600' };
    world = await openWorld({ environments, variables });
    for (const [environment, fault] of TROUBLES) {
      const { world: there, faults } = world.serviceOf(environment);
      there.plantEvent(delivered({ _id: EVENT }));
      if (fault !== 'nobody there') faults.set('retrieveEvent', fault);
    }
    world.serviceOf('hanging').faults.set('retrieveEvent', { kind: 'hang' });
  });
  afterAll(() => world.close());

  test.concurrent.each(TROUBLES)(
    'is reported with its problem and the next step: %s',
    async (environment, _fault, what, next) => {
      const { ann } = world;
      await ann.types(`/notif event ${EVENT} env:${environment}`);
      const answer = await ann.sees(`⚠️ Couldn't read from ${environment}: `, GENERAL, 35_000);
      expect(answer.words).toContain(what);
      expect(answer.words).toContain(next);
      const [, reference = 'none'] = /Reference (\w{5})$/.exec(answer.words) ?? [];
      expect(world.log.saying(reference)).toMatchObject([{ reference, environment, level: 'warn' }]);
    },
  );

  test.concurrent('leads to a waiting message after two seconds', async () => {
    const { ben } = world;
    await ben.types(`/notif event ${EVENT} env:hanging`);
    const waiting = await ben.sees('Still working');
    expect(waiting.onlyFor).toBe(ben.id);
  });

  test.concurrent("doesn't delay the answer about where else an ID exists", async () => {
    const { ben } = world;
    await ben.types('/notif event 0123456789abcdef01234567 env:sound');
    await ben.sees('No event, transaction, subscriber or topic 0123456789abcdef01234567 in sound.', GENERAL, 5_000);
  });
});
