import { beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { ONCALL, type Person } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

describe('lists', () => {
  const world = sharedWorld(() => openWorld());
  let ann: Person;
  beforeAll(async () => {
    ann = world.ann;
  });

  test('count attempts, failures and latency by provider, channel or workflow, the worst first', async () => {
    const { service } = world;
    for (let n = 0; n < 6; n++) service.world.plantEvent(delivered({ subscriber: `fine-${n}` }));
    for (let n = 0; n < 4; n++) service.world.plantEvent(failed('sms', { subscriber: `unlucky-${n}` }));
    await ann.asks('/notif failures', ONCALL);
    const providers = await ann.asks('/notif stats', ONCALL);
    expect(providers.words).toMatch(
      /^production since .*, when checks began: 4 of \d+ attempts failed \(\d+%\), 10 events/,
    );
    expect(providers.words).toMatch(/^🔴 SMS · Twilio · #\d+ \| failing · 4 of 4 \| – \| none \| –$/m);
    expect(providers.words).toMatch(
      /^(✅ Email · SendGrid \| fine|⚪ Email · SendGrid \| not all checked) · 0 of \d+ \| .+, .+ \| .+ an hour \| –$/mu,
    );
    const rows = providers.words.split('\n').filter((line) => /^(🔴|✅)/u.test(line));
    expect(rows[0]).toContain('Twilio');
    expect((await ann.asks('/notif stats by:channel', ONCALL)).words).toMatch(/^🔴 SMS · #\d+ \| failing · 4 of /m);
    const filtered = await ann.asks('/notif stats by:workflow channel:sms', ONCALL);
    expect(filtered.words).toMatch(/^🔴 order-shipped · #\d+ \| failing · 4 of /m);
  });

  test('say that a time before the start was not checked, and correct a name', async () => {
    const before = await ann.asks('/notif stats since:3d until:2d', ONCALL);
    expect(before.words).toMatch(/^⚠️ production · nothing was checked from .* \(checked since .*\)\nNo attempts\n/);
    expect((await ann.asks('/notif stats provider:twilo', ONCALL)).words).toContain('Did you mean twilio?');
    expect((await ann.asks('/notif stats by:color', ONCALL)).words).toContain('provider, channel, workflow');
  });

  test('show why a message was refused, only to the person who asked, and look up its event', async () => {
    const event = world.service.world.plantEvent(failed('email', { subscriber: 'refused-1' }));
    const answer = await ann.asks('/notif messages subscriber:refused-1');
    expect(answer.words).toMatch(/^production · 1 message\n/);
    expect(answer.words).toMatch(
      /🔴 Email · SendGrid: Unauthorized \(401\) \| refused-1 \| .* \| order-shipped · txn_/,
    );
    expect(answer.words).toContain('Subscriber refused-1');
    expect(world.ben.messages()).toEqual([]);
    await ann.clicks('Look up', answer, `${event.transactionId} refused-1`);
    await ann.gets(`Event ${event._id}`);
  });

  test('say that the environment has no such subscriber, and mark a deleted one', async () => {
    const nobody = await ann.asks('/notif messages subscriber:nobody-at-all');
    expect(nobody.words).toContain('No messages of nobody-at-all in production; a subscriber');
    world.service.world.plantEvent(failed('email', { subscriber: 'gone-1' }));
    world.service.world.subscriber('gone-1').deleted = true;
    expect((await ann.asks('/notif messages subscriber:gone-1')).words).toContain('gone-1 (deleted)');
  });

  test('list subscribers of a topic with masked contacts', async () => {
    const answer = await ann.asks('/notif topic vip');
    expect(answer.words).toMatch(/^production · topic vip · 3 subscriptions\n/);
    expect(answer.words).toMatch(/user-43 \| [A-Z]\. [A-Z]\. · .•••@mail\.sandbox\.example \| \d{4}-/);
    expect(answer.words.indexOf('user-43')).toBeLessThan(answer.words.indexOf('user-41'));
  });

  test('load more subscribers after a hundred, in either order, and find one', async () => {
    world.service.world.plantTopic(
      'many',
      Array.from({ length: 130 }, (_, n) => `many-${n}`),
    );
    const first = await ann.asks('/notif topic many');
    const shown = Number(/(\d+) of 130 subscriptions/.exec(first.words)?.[1]);
    await ann.clicks('Load more', first);
    expect((await ann.gets(`${shown + 1}–`)).words).toContain(`many-${129 - shown} |`);
    expect((await ann.asks('/notif topic many sort:oldest')).words).toContain('many-0 |');
    expect((await ann.asks('/notif topic many subscriber:many-64')).words).toContain('· 1 subscription\n');
  });

  test('name the subscribers of a topic to whom nothing of a transaction was delivered, and who missed a channel', async () => {
    const sent = { transactionId: 'txn_vip_launch', topics: ['vip'] };
    const [inApp] = delivered().jobs ?? [];
    const [email] = failed('email').jobs ?? [];
    world.service.world.plantEvent({ subscriber: 'user-41', ...sent, jobs: inApp && email ? [inApp, email] : [] });
    world.service.world.plantEvent(failed('sms', { subscriber: 'user-42', ...sent }));
    const answer = await ann.asks('/notif topic vip tx:txn_vip_launch');
    const counted = '2 of 3 subscribers got nothing of txn_vip_launch · others missed: 1 email';
    expect(answer.words).toContain(`topic vip · ${counted}`);
    expect(answer.words).toMatch(/^user-43 \| everything \|.*\nuser-42 \| everything \|.*\nuser-41 \| email \|/m);
    expect(answer.words).toContain('2 events checked');
  });

  test("say that a topic doesn't exist, and which one that failed is spelled alike", async () => {
    world.service.world.plantEvent(failed('email', { topics: ['vip'] }));
    await ann.asks('/notif failures');
    const { words } = await ann.asks('/notif topic vpi');
    expect(words).toContain('production has no topic vpi. Did you mean vip?');
    expect(words).toContain("Use the topic's key, not its name");
  });

  test("show an environment's integrations by channel, with their problems", async () => {
    const { service } = world;
    service.world.plantEvent(delivered());
    const [inbox, sendgrid, ses, twilio] = service.world.integrations;
    if (ses) ses.configurations = {};
    if (twilio) twilio.active = false;
    const children = [{ field: 'locale', value: 'de', operator: 'EQUAL', on: 'subscriber' as const }];
    sendgrid?.conditions.push({ isNegated: false, type: 'GROUP', value: 'AND', children });
    const answer = await ann.asks('/notif integrations');
    expect(answer.words).toContain('production · 11 integrations');
    expect(answer.words).toContain('⚠️ No active SMS integration: nothing is sent by SMS');
    expect(answer.words).toContain(`Inbox | ✅ active | in-app | built in | ${inbox?.identifier}`);
    expect(answer.words).toContain(
      `| ✅ active · primary · only under conditions | email | SendGrid | ${sendgrid?.identifier}`,
    );
    expect(answer.words).toContain('🟡 no inbound webhook: its bounces may never arrive');
    expect(answer.words).toMatch(/Amazon SES \(retired\) .* 🗑️ deleted \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(answer.words).toContain('⏸️ inactive');
    expect(world.ben.messages()).toEqual([]);
  });

  test.each([
    ['topic', 'Which topic? Give its key'],
    ['topic news readers', 'For example: /notif topic "news readers"'],
    ['topic project:42', 'production has no topic project:42.'],
    ['topic vip sort:name', 'There is no order name. There are: newest, oldest.'],
  ])('correct /notif %s', async (line, words) => {
    expect((await ann.asks(`/notif ${line}`)).words).toContain(words);
  });
});
