import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import type { Person } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

const MINUTE = 60_000;

describe('/notif events', () => {
  let world: World;
  let ann: Person;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'], variables: POLLS_ONCE });
    ann = world.ann;
    const { world: service } = world.service;
    const minutesAgo = (minutes: number) => service.now() - minutes * MINUTE;
    service.plantEvent(delivered({ subscriber: 'early-1', createdAt: minutesAgo(300), severity: 'low' }));
    service.plantEvent(
      failed('sms', {
        workflow: 'payment-failed',
        subscriber: 'launch-1',
        createdAt: minutesAgo(20),
        transactionId: 'txn_launch01',
        topics: ['launch'],
        severity: 'high',
        contextKeys: ['tenant:acme', 'app:shop'],
      }),
    );
    service.plantEvent(
      delivered({
        subscriber: 'launch-2',
        createdAt: minutesAgo(10),
        transactionId: 'txn_launch02',
        topics: ['launch'],
      }),
    );
    Object.assign(service.subscriber('launch-2'), { email: 'anna@people.example' });
    await ann.asks('/notif failures');
  });
  afterAll(() => world.close());

  test('lists who got what and its outcome, the newest first, only to the person who asked', async () => {
    const answer = await ann.asks('/notif events topic:launch since:1h');
    expect(answer.words).toMatch(/^production · Topic launch · 2 events\n/);
    expect(answer.words).toMatch(/txn_launch02 \| ✅ delivered \| order-shipped \| launch-2 \| /);
    expect(answer.words).toMatch(/txn_launch01 \| 🔴 failed \| payment-failed \| launch-1 \| .* \| SMS · Twilio: /);
    expect(answer.words.indexOf('txn_launch02')).toBeLessThan(answer.words.indexOf('txn_launch01'));
    expect(answer.words).toMatch(/Since .* · As of .*, the newest first/);
    expect(world.ben.messages()).toEqual([]);
  });

  test('opens the card of an event that is picked', async () => {
    const answer = await ann.asks('/notif events topic:launch severity:high');
    expect(answer.words).toContain('production · 1 event');
    expect(answer.words).toContain('Topic launch · Severity high');
    await ann.picks('🔴 failed · txn_launch01', 'event.look-up', answer);
    await ann.gets('🔴 Failed · payment-failed for launch-1');
  });

  test.each([
    'workflow:payment-failed',
    'workflow:"Payment failed"',
    'subscriber:launch-1',
    'tx:txn_launch01',
    'channel:sms since:1h',
    'topic:launch workflow:payment-failed,order-shipped until:15m',
    'severity:high',
    'context:app:shop,tenant:acme',
    'search:launch-1',
  ])('is narrowed by the service to one event: %s', async (filters) => {
    const answer = await ann.asks(`/notif events ${filters}`);
    expect(answer.words).toContain('· 1 event');
    expect(answer.words).toContain('txn_launch01 |');
  });

  test('finds people by their address, which it masks', async () => {
    const answer = await ann.asks('/notif events email:anna@people.example');
    expect(answer.words).toMatch(/^production · Email a•••@people\.example · 1 event\n/);
    expect(answer.words).toContain('| launch-2 |');
    await ann.clicks('Share', await ann.asks('/notif events search:anna@'));
    const shared = await world.ben.sees('Shared by');
    expect(shared.words).toContain('production · Search ••• · 1 event');
    expect(shared.words).not.toContain('anna@');
  });

  test('loads as many as fit, and the rest after clicks, each once', async () => {
    for (let n = 0; n < 130; n++) {
      world.service.world.plantEvent(delivered({ subscriber: 'many-1', transactionId: `txn_many${1000 + n}` }));
    }
    const seen: string[] = [];
    let answer = await ann.asks('/notif events subscriber:many-1 since:1h');
    expect(answer.words).toContain('events; there are more');
    while (true) {
      seen.push(...new Set(answer.words.match(/txn_many\d{4}(?= \|)/g)));
      if (seen.length >= 130) break;
      await ann.clicks('Load more', answer);
      answer = await ann.gets(`Subscriber many-1 · ${seen.length + 1}–`);
    }
    expect(new Set(seen).size).toBe(130);
    expect(seen).toHaveLength(130);
    expect(answer.words).toContain('–130 of 130 events');
  });

  test('says what an empty answer covers, and what to do', async () => {
    const nothing = await ann.asks('/notif events subscriber:early-1 since:2h');
    expect(nothing.words).toMatch(/production · Subscriber early-1 · no events · Since .* · As of /);
    expect(nothing.words).toContain('Ask for a longer time. Upper and lower case matter, and so does env:.');
    expect((await ann.asks('/notif events subscriber:early-1')).words).toContain('· 1 event');
    const elsewhere = await ann.asks('/notif events subscriber:early-1 env:staging');
    expect(elsewhere.words).toContain('staging · Subscriber early-1 has no events that the service still keeps.');
  });

  test('shows what is older than Notif has checked, as /notif failures says', async () => {
    const failures = await ann.asks('/notif failures since:6h until:4h');
    const [, command = ''] = /Older events: (\/notif events until:\S+ env:production)/.exec(failures.words) ?? [];
    expect((await ann.asks(command)).words).toContain('| early-1 |');
    const [before] = (await ann.asks('/notif failures since:90d')).words.split('For example');
    expect(before).toContain('Older events: /notif events since:90d.');
  });

  test.each([
    [
      'workflow:ordr-shipped',
      'No workflow ordr-shipped seen in production. Did you mean order-shipped?',
      'workflow:order-shipped',
    ],
    ['channel:emial', 'There is no channel emial. Did you mean email?', 'channel:email'],
    ['severity:urgent', 'There is no severity urgent.', 'severity:high'],
    ['topic:a,b', 'topic: takes one value here.', 'topic:a'],
    ['tx:txn_1,txn_2', 'tx: takes one value here.', 'tx:txn_1'],
    ['search:a,b', 'search: takes one value here.', 'search:a'],
    ['context:acme', 'A context is named type:id, and acme is not.', 'context:tenant:acme'],
    ['subscriber:a•••@people.example', 'This ID is masked', '/notif event txn_8f2c91'],
    ['email:anna', 'email: takes email addresses.', 'email:anna@example.com'],
    ['since:soon', 'since: takes a time', 'since:2h'],
    ['until:tomorrow', 'until: takes a time', 'until:12:30'],
    ['provider:sendgrid', "can't filter by provider:.", 'workflow:order-shipped'],
    ['txn_launch01', 'txn_launch01 is not a filter', 'workflow:order-shipped'],
  ])('corrects %s with an example', async (filters, words, example) => {
    const answer = await ann.asks(`/notif events ${filters}`);
    expect(answer.words).toContain(words);
    expect(answer.words).toMatch(new RegExp(`For example: .*${example}`));
  });

  test("explains why the service didn't list them", async () => {
    const beyond = await ann.asks('/notif events since:400d');
    expect(beyond.words).toContain('plan');
    world.service.faults.set('listEvents', { kind: 'status', status: 401 }, { times: 1 });
    const refused = await ann.asks('/notif events severity:high');
    expect(refused.words).toContain("Couldn't read from production: the API key was refused (401).");
  });
});
