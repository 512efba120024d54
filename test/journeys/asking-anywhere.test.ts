import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('Notif, asked from anywhere', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'], variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test('answers a mention in its thread, for everybody, with buttons that anyone can use', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'mentioned' }));
    await ann.says(`@Notif what about ${event._id}?`, { channel: ONCALL });
    const asked = await ann.sees(`what about ${event._id}`, ONCALL);
    const answer = await ben.sees('🔴 Failed · order-shipped for mentioned', ONCALL);
    expect(answer).toMatchObject({ onlyFor: null, threadTs: asked.spot.ts });
    await ben.clicks('Look up', answer);
    await ben.gets('🔴 Failed · order-shipped for mentioned', ONCALL);
  });

  test('answers a direct message outside a thread', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'direct', transactionId: 'txn_direct1' }));
    await ann.says('txn_direct1', { channel: ann.directMessages });
    const answer = await ann.sees('✅ Delivered · order-shipped for direct', ann.directMessages);
    expect(answer.threadTs).toBeNull();
    await ann.says('env:staging txn_direct1', { channel: ann.directMessages });
    await ann.sees('No event, transaction, subscriber or topic txn_direct1 in staging.', ann.directMessages);
    await ann.says('txn_direct2 env: “staging”', { channel: ann.directMessages });
    await ann.sees('No event, transaction, subscriber or topic txn_direct2 in staging.', ann.directMessages);
  });

  test.each(['/notif failures', '/notif messages', '/notif integrations', '/notif handover'])(
    'has no [Share] in direct messages, where it could share with nobody: %s',
    async (command) => {
      const { ann, service } = world;
      service.world.plantEvent(failed('email', { subscriber: 'alone' }));
      expect((await ann.asks(command)).words).toMatch(/^Share$/m);
      expect((await ann.asks(command, ann.directMessages)).words).not.toMatch(/^Share$/m);
    },
  );

  test('answers a message once when Slack delivers its event twice', async () => {
    const { ann, slack } = world;
    await ann.says('@Notif txn_toldtwice1', { channel: ONCALL });
    await ann.sees('or topic txn_toldtwice1', ONCALL);
    await slack.faults.redeliverEvent();
    await ann.says('@Notif txn_afterwards1', { channel: ONCALL });
    await ann.sees('or topic txn_afterwards1', ONCALL);
    const told = ann.messages(ONCALL).filter(({ words }) => words.includes('or topic txn_toldtwice1'));
    expect(told).toHaveLength(1);
  });

  test('asks for one environment if a mention names several', async () => {
    const { ann } = world;
    await ann.says('@Notif txn_4711 env:staging env:production', { channel: ONCALL });
    await ann.sees('env: takes one value here.', ONCALL);
    await ann.says('txn_4711 env:staging,production', { channel: ann.directMessages });
    await ann.sees('env: takes one value here.', ann.directMessages);
  });

  test('runs a command in a mention, visible only to the person', async () => {
    const { ann, ben } = world;
    await ann.says('@Notif failures since:5m', { channel: ONCALL });
    await ann.gets('last 5 min', ONCALL);
    expect(ben.messages(ONCALL).filter(({ words }) => words.includes('last 5 min'))).toEqual([]);
    await ann.says('@Notif help', { channel: ONCALL });
    await ann.gets('looks up what happened to a notification', ONCALL);
    await ann.says('@Notif failurs', { channel: ONCALL });
    await ann.gets('Did you mean /notif failures?', ONCALL);
    await ann.says('@Notif failures color:red', { channel: ONCALL });
    await ann.gets("color: isn't a filter", ONCALL);
  });

  test('runs a command in a direct message', async () => {
    const { ann } = world;
    await ann.says('failures since:2h', { channel: ann.directMessages });
    await ann.sees('last 2 h', ann.directMessages);
  });

  test('runs a command whose text has an ID', async () => {
    const { ann } = world;
    await ann.says('@Notif: deployed checkout build-4711 after txn_8f2c91', { channel: ONCALL });
    await ann.gets('Deploy noted in production: checkout', ONCALL);
    await ann.says('@Notif note #17 anna@example.com was affected too', { channel: ONCALL });
    await ann.gets('No incident has the number #17', ONCALL);
  });

  test('offers a button that opens the form when such a command is written as a message', async () => {
    const { ann } = world;
    await ann.says('@Notif trigger', { channel: ONCALL });
    const answer = await ann.gets('Slack opens forms only after a click', ONCALL);
    await ann.opens('Open form', answer, 'Send a test');
  });

  test("lists a subscriber's events with their verdicts, as many as fit at once", async () => {
    const { ann, service } = world;
    // Events of one millisecond have no order to tell.
    const ago = (seconds: number) => ({ subscriber: 'busy-reader', createdAt: Date.now() - seconds * 1_000 });
    for (let seconds = 112; seconds > 0; seconds--) service.world.plantEvent(delivered(ago(seconds)));
    service.world.plantEvent(failed('email', ago(0)));
    const first = await ann.asks('/notif subscriber:busy-reader', ONCALL);
    const [, shown] = /(\d+) events; there are more/.exec(first.words) ?? [];
    expect(first.words.indexOf('🔴 failed')).toBeLessThan(first.words.indexOf('✅ delivered'));
    await ann.clicks('Load more', first);
    await ann.gets(`Subscriber busy-reader · ${Number(shown) + 1}–`, ONCALL);
  });

  test("lists an email address's events and masks the address", async () => {
    const { ann, service } = world;
    const reader = [...service.world.subscribers.values()].find(({ email }) => email !== null);
    service.world.plantEvent(failed('email', { subscriber: reader?.subscriberId ?? '' }));
    const answer = await ann.asks(`/notif ${reader?.email}`, ONCALL);
    expect(answer.words).toContain(`🔴 failed | order-shipped | ${reader?.subscriberId}`);
    expect(answer.words).toMatch(/production · Email .•••@/);
    expect(answer.words).not.toContain(reader?.email);
  });

  test('offers both choices for a word that can be a command or an ID', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif failurs', ONCALL);
    expect(answer.words).toContain('Did you mean /notif failures?');
    await ann.clicks('Look it up', answer);
    await ann.gets('or topic failurs', ONCALL);
    await ann.clicks('Run failures', answer);
    await ann.gets('last hour', ONCALL);
  });

  test('uses the environment that was set for a channel', async () => {
    const { ann, ben, serviceOf } = world;
    const event = serviceOf('staging').world.plantEvent(delivered({ subscriber: 'of-staging' }));
    await ann.types('/notif env staging', ONCALL);
    await ben.sees("set this channel's environment to staging", ONCALL);
    await ben.asks(`/notif ${event._id}`, ONCALL);
    await ben.gets('staging · ✅ Delivered · order-shipped for of-staging', ONCALL);
    const shown = await ben.asks('/notif env', ONCALL);
    expect(shown.words).toContain('Commands in this channel use staging');
    await ben.types('/notif env off', ONCALL);
    await ann.sees("unset this channel's environment. Commands here use production", ONCALL);
  });
});
