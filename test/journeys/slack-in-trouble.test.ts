import { beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { CHANNELS } from '../../sandbox/slack/seed.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const world = sharedWorld(() => openWorld({ environments: ['production', 'europe'] }));

/** After this time a poll is due, and a delivery that failed once is tried again. */
const A_MINUTE = 60_000;

describe('a failure is announced once', () => {
  /** The causes of which exactly one message has to be there. */
  const due: string[] = [];

  /** Plants a failure with a new cause, which is due to be read. */
  function fails(word: string, environment = 'production'): void {
    const service = world.serviceOf(environment).world;
    service.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
    due.push(word);
    world.passes(A_MINUTE);
  }

  test('when it happened while the bot was down', async () => {
    fails('ape');
    await world.log.until('Message posted');
    await world.stop();
    fails('bee');
    await world.start();
    await world.ann.sees('“bee”', ONCALL);
  });

  test('when Slack is busy, or loses the answer to a post', async () => {
    const { slack, log, ann } = world;
    slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 1 });
    slack.faults.next('chat.postMessage', { kind: 'reset', when: 'after' });
    fails('cat');
    fails('dog', 'europe');
    await log.until('"outcome":"refused"');
    await log.until('"outcome":"unanswered"');
    fails('gnu', 'europe');
    for (const word of ['cat', 'dog', 'gnu']) await ann.sees(`“${word}”`, ONCALL);
    await log.until('Message found in its channel after a lost answer');
    // People see a message before the bot has Slack's answer, which the next outage would cut off.
    await log.until('Message posted', 4);
  });

  test('when Slack was unreachable for a while', async () => {
    const { lines, log, ann } = world;
    await lines.slack.cut();
    fails('hen');
    await log.until("Slack can't be reached");
    await lines.slack.restore();
    fails('ibex', 'europe');
    for (const word of ['hen', 'ibex']) await ann.sees(`“${word}”`, ONCALL);
  });

  test("and marked as a possible duplicate when an answer was lost and the channel's history can't be read", async () => {
    const { slack, log, ann } = world;
    slack.faults.next('chat.postMessage', { kind: 'reset', when: 'after' });
    slack.faults.next('conversations.history', { kind: 'error', error: 'missing_scope' });
    const lost = log.saying('"outcome":"unanswered"').length;
    fails('koi');
    await log.until('"outcome":"unanswered"', lost + 1);
    // This one is there twice, and the repeat says so.
    due.pop();
    fails('lynx', 'europe');
    const repeat = await ann.sees('Possible duplicate: this may already have been posted', ONCALL);
    expect(repeat.words).toContain('“koi”');
    await ann.sees('“lynx”', ONCALL);
  });

  test('after another restart, too', async () => {
    const { ann, log, passes } = world;
    await world.stop();
    const polls = log.saying('Events checked').length;
    await world.start();
    // Each environment is polled at the start, and again after a minute.
    await log.until('Events checked', polls + 2);
    passes(A_MINUTE);
    await log.until('Events checked', polls + 4);
    const said = ann.messages(ONCALL).map(({ words }) => words);
    expect(due.map((word) => said.filter((words) => words.includes(`“${word}”`)).length)).toEqual(due.map(() => 1));
  });
});

describe('a direct message that Slack refuses', () => {
  const world = sharedWorld(() => openWorld());
  const OFF = "Slack doesn't let Notif write to you: the Slack app's Messages Tab is off";
  beforeAll(async () => {
    await world.log.until('Events checked');
    await world.ann.types('/notif watch thread:on', GENERAL);
    await world.ann.sees('created a watch here', GENERAL);
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await world.polls();
    await world.ann.sees('1 person', GENERAL);
    await world.log.until('Message posted', 2);
    world.slack.workspace.refuseDirectMessages('messages_tab_disabled');
  });

  test('is shown with what to do where its receiver followed an incident, and the end of it, too', async () => {
    const { ann, ben } = world;
    await ben.types('/notif follow #1', ONCALL);
    const answer = await ben.gets(OFF, ONCALL);
    expect(answer.words).toContain('→ Have it turned on: App Home, Show Tabs, Messages Tab.');
    expect(answer.words).toContain('👣 You follow this incident');
    await ann.asks('/notif resolve #1', ONCALL);
    await ben.gets('✅ This incident ended at', ONCALL);
    await ann.asks('/notif reopen #1', ONCALL);
  });

  test('is said to who assigned an incident, and in its threads', async () => {
    const { ann } = world;
    await ann.types('/notif assign #1 @ben', GENERAL);
    await ann.gets("Slack doesn't let Notif write to ⟨user U0BEN⟩: the Slack app's Messages Tab is off", GENERAL);
    await ann.sees("📵 ben got no direct message about it: the Slack app's Messages Tab is off", GENERAL);
  });

  test('shows a test where its form was opened, and why a file has no place', async () => {
    const { ann } = world;
    await ann.types('/notif trigger order-shipped', GENERAL);
    await ann.seesModal('Send a test');
    await ann.fillsIn({ Recipients: 'user-1' });
    expect(await ann.submits()).toEqual([]);
    expect((await ann.gets(OFF, GENERAL)).words).toContain('⏳ Test of order-shipped in production');
    await ann.closesAll();
    await ann.clicks('View affected', await ann.asks('/notif #1', ONCALL));
    await ann.clicks('Download CSV', await ann.gets('1 subscriber ·', ONCALL));
    await ann.gets(OFF, ONCALL);
  });

  test('is a problem that doctor and status name until one arrives, with the setting of the app', async () => {
    const { ann, ben, slack } = world;
    const refused =
      /Slack refused direct messages because the Slack app's Messages Tab is off.*: ⟨user U0ANN⟩, ⟨user U0BEN⟩/;
    const examined = async (command: string) => (await ann.asks(`/notif ${command}`)).words;
    for (const command of ['doctor', 'status']) await expect.poll(() => examined(command)).toMatch(refused);
    slack.workspace.refuseDirectMessages(null);
    await ben.asks('/notif unfollow #1');
    await ben.asks('/notif follow #1');
    await ben.sees('👣 You follow this incident', ben.directMessages);
    await expect.poll(() => examined('status')).not.toContain('direct messages');
  });

  test.each([
    ['user_disabled', 'the account is deactivated'],
    ['cannot_dm_bot', 'Slack lets no app write to bots'],
    ['channel_not_found', "Slack doesn't show the person to Notif"],
    ['restricted_action', "the workspace's settings forbid it"],
    ['account_inactive', 'the account is deactivated'],
    ['a_new_word', 'Slack gives no other reason'],
  ])('is explained with the reason: %s', async (code, why) => {
    const { ann, ben, slack } = world;
    slack.workspace.refuseDirectMessages(code, 'U0BEN');
    await ann.asks('/notif assign #1', ONCALL);
    await ann.types('/notif assign #1 @ben', ONCALL);
    await ann.gets(`Slack doesn't let Notif write to ⟨user U0BEN⟩: ${why} (${code}).`, ONCALL);
    slack.workspace.refuseDirectMessages(null);
    expect(ben.messages(ben.directMessages).filter(({ words }) => words.includes('to you'))).toEqual([]);
  });
});

describe.each([
  ['which Slack tells', true],
  ['which is found when Slack refuses the former one', false],
])('a private channel that gets another ID, %s,', (_how, isTold) => {
  const privately = { kind: 'private' as const, members: ['U0ANN', 'U0BEN', 'U0BOT'] };
  const channels = [
    ...CHANNELS,
    { ...privately, id: 'G0OPS', name: 'ops' },
    { ...privately, id: 'G0CORE', name: 'core' },
  ];
  const options = { workspace: { channels }, variables: { NOTIF_DIGEST_CHANNEL: 'G0OPS' } };
  const world = sharedWorld(() => openWorld(options));

  async function fails(cause: string) {
    world.service.world.plantEvent(failed('email', {}, { raw: JSON.stringify({ message: cause }) }));
    await world.polls();
  }

  test('keeps its watches and the alert in hand, also after a restart', async () => {
    const { ann, log, slack } = world;
    await ann.types('/notif watch summary:09:00', 'G0CORE');
    await ann.sees('created a watch here', 'G0CORE');
    await fails('ape');
    const ids = [
      ['G0OPS', 'C0OPS'],
      ['G0CORE', 'C0CORE'],
    ] as const;
    for (const [from, to] of ids) {
      await ann.sees('“ape”', from);
      slack.workspace.changeChannelId(from, to);
      if (isTold) await slack.workspace.tellChannelId(from, to);
    }
    await fails('bee');
    for (const [, to] of ids) {
      await ann.sees('“bee”', to);
      expect((await ann.asks('/notif watches', to)).words).toContain('1 watch here');
    }
    await ann.clicks('Acknowledge', await ann.sees('“ape”', 'C0OPS'));
    await ann.sees('Acknowledged by ann', 'C0CORE');
    await world.stop();
    await world.start();
    await fails('cat');
    for (const [, to] of ids) await ann.sees('“cat”', to);
    expect(ann.messages('C0OPS').filter(({ words }) => words.includes('“bee”'))).toHaveLength(1);
    expect(log.saying("Notif isn't in the channel")).toEqual([]);
  });
});
