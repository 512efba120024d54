import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { unreadable } from '../../sandbox/service/examples.ts';
import { type Served, serve } from '../../src/lib/serve.testing.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { inWorld, inWorldAsleep, MINUTE, openWorld, type World } from '../support/world.ts';

/** Then a test gives up. */
const MOST_MINUTES = 20;
const PROBLEM = /🔴|⚠️|🟡/;

describe('doctor', () => {
  let world: World;
  let deadMansSwitch: Served;
  let switchAnswers = 200;
  beforeAll(async () => {
    deadMansSwitch = await serve((_, response) => response.writeHead(switchAnswers).end());
    world = await openWorld({
      environments: ['production', 'staging'],
      variables: { NOTIF_HEARTBEAT_URL: `${deadMansSwitch.url}/ping/s3cr3t` },
    });
  });
  afterAll(async () => {
    await world.close();
    deadMansSwitch.close();
  });
  afterEach(() => {
    world.slack.faults.clear();
    world.service.faults.clear();
  });

  const examines = async (channel = GENERAL) => (await world.ben.asks('/notif doctor', channel)).words;

  /** Examines after each minute: what a busy machine had no time for in one is done in a later one. */
  async function examinesUntil(isFound: (words: string) => boolean): Promise<string> {
    for (let minutes = 0; ; minutes++) {
      const words = await examines();
      if (isFound(words) || minutes === MOST_MINUTES) return words;
      const polls = world.log.saying('Events checked').length;
      world.passes(MINUTE);
      await world.log.until('Events checked', polls + 2);
    }
  }

  test('finds nothing to fix in a correct setup, and lists what it checked', async () => {
    await world.log.until('Events checked', 2);
    const words = await examinesUntil((found) => !PROBLEM.test(found));
    expect(words).not.toMatch(PROBLEM);
    expect(words).toContain('checks passed');
    for (const passed of ['Bot token', 'App token', 'production: Service', 'Watches']) expect(words).toContain(passed);
  });

  test("finds a dead man's switch that can't be called, without its address", async () => {
    switchAnswers = 404;
    const words = await examinesUntil((found) => found.includes('404'));
    expect(words).toContain('its address answered 404.');
    expect(words).not.toMatch(/s3cr3t|127\.0\.0\.1/);
    switchAnswers = 200;
    expect(await examinesUntil((found) => !found.includes('404'))).not.toContain('404');
  });

  test.each([
    ['auth.test', 'token_revoked', 'SLACK_BOT_TOKEN', 'copy its xoxb- token'],
    ['apps.connections.open', 'invalid_auth', 'SLACK_APP_TOKEN', 'copy that xapp- token'],
  ] as const)('finds a token that Slack refuses: %s', async (method, error, variable, next) => {
    // A socket that is renewed meanwhile is refused, too.
    world.log.expects(/Slack refuses SLACK_APP_TOKEN/);
    onTestFinished(world.slack.faults.always(method, { kind: 'error', error }));
    const words = await examines();
    expect(words).toContain(`Slack refuses ${variable} with ${error}.`);
    expect(words).toContain(`${next}, then restart Notif.`);
  });

  test('finds an API key that a service refuses', async () => {
    world.service.faults.set('all', { kind: 'status', status: 401 });
    const words = await examines();
    expect(words).toContain('🔴 production: Service · problem');
    expect(words).toContain("Couldn't read from production: the API key was refused (401).");
    expect(words).toContain('Next: Check NOTIF_PRODUCTION_API_KEY');
    expect(words).toContain('staging: Service');
  });

  test('finds a watch whose channel is archived, or from which Notif was removed', async () => {
    await world.ann.types('/notif watch summary:09:00', GENERAL);
    await world.ann.sees('created a watch here', GENERAL);
    world.ann.removesBot(ONCALL);
    world.ann.archives(GENERAL);
    const words = await examines(ONCALL);
    expect(words).toContain("Notif isn't in the channel: ⟨channel C0ONCALL⟩");
    expect(words).toContain('Next: /invite @Notif there, or change NOTIF_DIGEST_CHANNEL.');
    expect(words).toContain('Nothing can be posted in the archived ⟨channel C0GENERAL⟩');
    expect(words).toContain('Next: Unarchive it, or create the watch in another channel.');
    world.ann.unarchives(GENERAL);
    world.ann.invitesBot(ONCALL);
  });

  test('finds a mention of somebody who is gone', async () => {
    world.slack.workspace.deactivate('U0GUS');
    await world.ann.types('/notif watch mention:@gus', GENERAL);
    await world.ann.sees('mentions gus', GENERAL);
    expect(await examines()).toContain('A watch mentions somebody that has no active account: ⟨user U0GUS⟩');
  });

  test('finds events that can’t be read', async () => {
    world.service.world.plantEvent(unreadable());
    await world.polls();
    expect(await examines()).toContain('Not read in the last day: events: 1');
  });

  test('finds a service’s clock that is off', async () => {
    world.service.advance(MINUTE);
    expect(await examines()).toMatch(/Notif's clock is \d+ (?:s|min) behind the service's\./);
  });
});

test(
  'doctor finds what the settings lack or misspell, and a scope that Slack didn’t grant, which is logged too',
  inWorldAsleep(
    {
      variables: {
        NOTIF_OPERATORS: 'U0BEN,U0NOBODY,S0GONE',
        NOTIF_DIGEST_CHANEL: 'C0ONCALL',
        NOTIF_DIGEST_CHANNEL: '',
      },
    },
    async ({ ben, slack, log, start }) => {
      slack.workspace.revoke('files:write');
      await start();
      const lines = log.saying("Slack didn't grant a scope that Notif needs");
      expect(lines).toEqual([expect.objectContaining({ level: 'warn', missing: ['files:write'] })]);
      const { words } = await ben.asks('/notif doctor');
      expect(words).toMatch(/files:write was not granted\.[\s\S]*reinstall it/);
      expect(words).toContain('NOTIF_OPERATORS names an ID that has no active account: U0NOBODY');
      expect(words).toContain('Next: Fix NOTIF_OPERATORS and restart Notif, or add people to the group.');
      expect(words).toContain('NOTIF_OPERATORS names an ID that is no user group in use, or has no members: S0GONE');
      expect(words).toMatch(
        /NOTIF_DIGEST_CHANEL isn't used by Notif.*\nNext: Use a name in docs\/configuration\.md, and restart/,
      );
      expect(words).toContain('There is none: failures alert nobody.');
      expect(words).toContain("NOTIF_HEARTBEAT_URL isn't set");
    },
  ),
);

test(
  'doctor says so when nobody is allowed to change anything',
  inWorld({ variables: { NOTIF_OPERATORS: '' } }, async ({ ben }) => {
    const { words } = await ben.asks('/notif doctor');
    expect(words).toContain("Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.");
    expect(words).toContain('Next: Set it to IDs of people (U…) and user groups (S…), and restart Notif.');
  }),
);
