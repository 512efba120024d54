import { describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { formatUtc } from '../../src/lib/time/durations.ts';
import { clockTime } from '../../src/lib/time/wall-clock.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

describe('Notif, asked from anywhere', () => {
  const variables = { NOTIF_STAGING_DASHBOARD_URL: 'https://staging.example.com' };
  const world = sharedWorld(() => openWorld({ environments: ['production', 'staging'], variables }));

  /** Looks something up with the global shortcut. */
  async function finds(answers: Readonly<Record<string, string>>): Promise<void> {
    await world.ann.choosesShortcut('find_notification');
    await world.ann.seesModal('Find a notification');
    await world.ann.fillsIn(answers);
  }

  test('answers in the environment that env: or a link names, and lists the environments if there is none such', async () => {
    const { ann, serviceOf } = world;
    const event = serviceOf('staging').world.plantEvent(delivered({ subscriber: 'tester' }));
    for (const typed of [`${event._id} env:staging`, `https://staging.example.com/?activityItemId=${event._id}`]) {
      const answer = await ann.asks(`/notif event ${typed}`);
      expect(answer.words).toMatch(/^✅ order-shipped for tester: .* · staging/);
    }
    const mars = await ann.asks('/notif event txn_1234 env:mars');
    expect(mars.words).toContain('There is no environment mars. There are: production, staging.');
  });

  test('answers a message shortcut to that person alone, who chooses among several IDs and hears if there is none', async () => {
    const { ann, ben, service } = world;
    const [one, other] = ['first', 'second'].map((subscriber) => service.world.plantEvent(delivered({ subscriber })));
    await ben.types(`either ${one?._id} or ${other?.transactionId}`, ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('either', ONCALL));
    const choice = await ann.gets('2 IDs are in this text. Which one?', ONCALL);
    await ann.clicks('Look up', choice, other?.transactionId);
    await ann.gets('✅ order-shipped for second', ONCALL);
    expect(ben.messages(ONCALL).some(({ words }) => words.includes('order-shipped'))).toBe(false);
    await ben.types('lunch at noon?', ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('lunch', ONCALL));
    const none = await ann.gets('There is no ID in this text.', ONCALL);
    expect(none.words).toContain('It can be an ID with a digit in it');
  });

  test('finds by the global shortcut any ID in a text, also a plain word as a transaction, in the environment that is chosen', async () => {
    const { ann, service, serviceOf } = world;
    serviceOf('staging').world.plantEvent(delivered({ subscriber: 'from-anywhere', transactionId: 'txn_anywhere' }));
    service.world.plantEvent(delivered({ subscriber: 'from-a-form', transactionId: 'holiday' }));
    for (const [target, words] of [
      ['subscriber:from-a-form', 'from-a-form'],
      ['holiday', 'order-shipped for from-a-form'],
      ['anna@example.com and txn_1234', '2 IDs are in this text. Which one?'],
    ] as const) {
      await finds({ 'What to look for': target });
      expect(await ann.submits()).toEqual([]);
      await ann.seesModal(words);
    }
    await finds({ 'What to look for': 'two words' });
    expect(await ann.submits()).toEqual([
      "Give an event ID, a transaction ID of at most 200 characters without spaces, or an event's link.",
    ]);
    await ann.fillsIn({ 'What to look for': 'txn_anywhere', Environment: 'staging' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('✅ order-shipped for from-anywhere');
    await finds({ 'What to look for': 'user-115' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('No event found for user-115 in production');
  });

  test('offers what a mistyped or cut ID may be, also of another environment, and counts the digits of an event', async () => {
    const { ann, serviceOf } = world;
    const planted = failed('email', { subscriber: 'cut-off', transactionId: 'txn_7d3a216b5db27f3954863e2e' });
    const event = serviceOf('staging').world.plantEvent(planted);
    await ann.asks('/notif failures env:staging');
    for (const typed of ['7D3A216B5DB27F3954863E2', 'txn_216b5db27f3954863e2e', event._id.slice(2)]) {
      const answer = await ann.asks(`/notif event ${typed}`);
      expect(answer.words).toContain('Did you mean txn_7d3a216b5db27f3954863e2e in staging?');
      if (!typed.startsWith('txn_')) expect(answer.words).toContain("characters, an event's ID has 24.");
      await ann.clicks('Look up', answer);
      await ann.gets('🔴 order-shipped for cut-off');
    }
  });

  test('offers to look up in another environment an ID that it has, also of a delivered event', async () => {
    const { ann, serviceOf } = world;
    const planted = delivered({ subscriber: 'elsewhere', transactionId: 'txn_elsewhere1' });
    const event = serviceOf('staging').world.plantEvent(planted);
    for (const typed of ['txn_elsewhere1', event._id]) {
      const answer = await ann.asks(`/notif event ${typed}`);
      expect(answer.words).toContain('staging has one.');
      await ann.clicks('Look up there', answer);
      await ann.gets('✅ order-shipped for elsewhere');
    }
  });

  test('answers a mention in its thread, for everybody, with buttons that anyone can use', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'mentioned' }));
    await ann.says(`@Notif what about ${event._id}?`, { channel: ONCALL });
    const question = await ann.sees(`what about ${event._id}`, ONCALL);
    const answer = await ben.sees('🔴 order-shipped for mentioned', ONCALL);
    expect(answer).toMatchObject({ onlyFor: null, threadTs: question.spot.ts });
    await ben.clicks('Look up', answer);
    await ben.gets('🔴 order-shipped for mentioned', ONCALL);
  });

  test('answers a direct message outside a thread, without [Share]', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'direct', transactionId: 'txn_direct1' }));
    await ann.says('txn_direct1', { channel: ann.directMessages });
    const answer = await ann.sees('✅ order-shipped for direct', ann.directMessages);
    expect(answer.threadTs).toBeNull();
    await ann.says('txn_direct2 env: “staging”', { channel: ann.directMessages });
    await ann.sees('No event found for txn_direct2 in staging', ann.directMessages);
    await ann.says('failures since:2h', { channel: ann.directMessages });
    await ann.sees('when checks began', ann.directMessages);
    for (const command of ['/notif failures', '/notif messages', '/notif integrations', '/notif handover']) {
      expect((await ann.asks(command)).words).toMatch(/^Share$/m);
      expect((await ann.asks(command, ann.directMessages)).words).not.toMatch(/^Share$/m);
    }
  });

  test('runs a command in a mention, visible only to the person', async () => {
    const { ann, ben } = world;
    await ann.says('@Notif failures since:5m', { channel: ONCALL });
    await ann.gets('the last 5 min', ONCALL);
    expect(ben.messages(ONCALL).filter(({ words }) => words.includes('last 5 min'))).toEqual([]);
    for (const [said, words] of [
      ['failurs', 'Did you mean /notif failures?'],
      ['failures color:red', "can't filter by color:"],
      ['txn_4711 env:staging env:production', 'env: takes one value here.'],
      ['deployed checkout build-4711 after txn_8f2c91', 'Deploy recorded in production: checkout'],
    ] as const) {
      await ann.says(`@Notif ${said}`, { channel: ONCALL });
      await ann.sees(words, ONCALL);
    }
  });

  test('answers a mention once, also if it is edited, and a message that an edit makes a mention', async () => {
    const { ann } = world;
    await ann.says('@Notif failures since:7m', { channel: ONCALL });
    await ann.gets('the last 7 min', ONCALL);
    await ann.edits(await ann.sees('failures since:7m', ONCALL), '@Notif  failures since:7m');
    await ann.says('failures since:8m', { channel: ONCALL });
    await ann.edits(await ann.sees('failures since:8m', ONCALL), '@Notif failures since:8m');
    await ann.gets('the last 8 min', ONCALL);
    expect(ann.messages(ONCALL).filter(({ words }) => words.includes('the last 7 min'))).toHaveLength(1);
  });

  test('offers a button that opens the form when such a command is written as a message', async () => {
    const { ann } = world;
    await ann.says('@Notif trigger', { channel: ONCALL });
    await ann.opens('Open form', await ann.gets('Slack opens forms only after a click', ONCALL), 'Send a test');
  });

  test('offers to run the command that a mistyped one resembles, unless it sends or changes something, and says how to look it up', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif failurs', ONCALL);
    expect(answer.words).toContain('Did you mean /notif failures?');
    expect(answer.words).toContain('To look it up as an ID: /notif event failurs');
    await ann.clicks('Run failures', answer);
    await ann.gets('production in the last hour', ONCALL);
    const sending = await ann.asks('/notif remind #9', ONCALL);
    expect(sending.words).toContain("remind isn't a command. Did you mean /notif resend #9?");
    expect(sending.words).not.toContain('Run resend');
  });

  test('lists the filters of a command in its help, each with an example and what it means', async () => {
    const { words } = await world.ann.asks('/notif help topic');
    expect(words).toContain(
      'subscriber:user-0042 — subscriber IDs, as triggered\nsort:oldest — newest or oldest first',
    );
    expect(words).toContain('e.g. /notif topic');
    expect((await world.ann.asks('/notif help status')).words).not.toContain(':user');
  });

  test.each(['failures', 'handover'])(
    'takes a time of day in /notif %s as one of the person who asks',
    async (command) => {
      const since = new Date(Date.now() - 20 * 60_000);
      const { words } = await world.ann.asks(`/notif ${command} since:${clockTime(since, 'Europe/Berlin')}`);
      expect(words).toMatch(command === 'failures' ? /in the last 2[01] min/ : formatUtc(since));
    },
  );

  test('uses the environment that was set for a channel', async () => {
    const { ann, ben, serviceOf } = world;
    const event = serviceOf('staging').world.plantEvent(delivered({ subscriber: 'of-staging' }));
    await ann.types('/notif env staging', ONCALL);
    await ben.sees("set this channel's environment. Commands in this channel use staging", ONCALL);
    await ben.asks(`/notif ${event._id}`, ONCALL);
    await ben.gets('✅ order-shipped for of-staging', ONCALL);
    expect((await ben.asks('/notif env', ONCALL)).words).toMatch(
      /Commands in this channel use staging.*\n.*\/notif env production/,
    );
    await ben.types('/notif watch summary:09:00', ONCALL);
    await ann.sees('All failures in environment staging', ONCALL);
    await ben.types('/notif watch channel:sms env:production', ONCALL);
    await ann.sees('Only channel sms, environment production', ONCALL);
    await ben.types('/notif env off', ONCALL);
    await ann.sees("unset this channel's environment. Commands in this channel use production", ONCALL);
  });
});
