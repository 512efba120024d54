import { beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { MINUTE, openWorld, sharedWorld, type World } from '../support/world.ts';

/** Plants failures of one incident, one for each subscriber. */
function plant({ service }: World, ...subscribers: readonly string[]): void {
  for (const subscriber of subscribers) {
    service.world.plantEvent(failed('email', { subscriber, contextKeys: ['tenant:acme'] }));
  }
}

const twelve = Array.from({ length: 12 }, (_, index) => `user-${index + 1}`);

/** The tests are one story, in which each act builds on those before. */
describe('an incident', () => {
  const world = sharedWorld(() => openWorld());
  beforeAll(async () => {
    await world.log.until('Events checked');
    await world.ann.types('/notif watch summary:09:00', GENERAL);
    await world.ann.sees('created a watch here', GENERAL);
    for (const _ of [...twelve, ...twelve])
      world.service.world.plantEvent(delivered({ contextKeys: ['tenant:globex'] }));
    plant(world, ...twelve);
    await world.polls();
    await world.ann.sees('12 people', ONCALL);
    await world.ann.sees('12 people', GENERAL);
    await world.log.until('Message posted', 2);
  });
  /** The incident in the digest of a channel's watch. */
  const row = (channel = ONCALL) => world.ann.sees('credentials refused (401)\n12 ', channel);
  const rowShows = (words: string | RegExp, channel = ONCALL) =>
    expect.poll(async () => (await row(channel)).words).toMatch(words);
  const assign = async (name: string) => {
    await world.ann.opens('Assign…', await row(), 'They get a direct message');
    await world.ann.fillsIn({ 'Assign to': name });
    expect(await world.ann.submits()).toEqual([]);
  };

  test('is acknowledged by the first of two people who click at once, and everybody sees who it was', async () => {
    const { ann, ben } = world;
    const before = await row();
    await Promise.all([ann.clicks('Acknowledge', before), ben.clicks('Acknowledge', before)]);
    const answers = await Promise.all([ann.gets('cknowledged', ONCALL), ben.gets('cknowledged', ONCALL)]);
    const words = answers.map((answer) => answer.words);
    const acknowledged = '👀 Acknowledged #1 Email via SendGrid. Mentions stop.';
    expect(words.filter((row) => row.startsWith(acknowledged))).toHaveLength(1);
    const second =
      /^#1 is already acknowledged by ⟨user U0(ANN|BEN)⟩, \d\d:\d\d UTC\.\n(.*\n)+👀 ⟨user U0(ANN|BEN)⟩ \d/;
    expect(words.filter((row) => second.test(row))).toHaveLength(1);
    await rowShows(/👀 ⟨user U0(ANN|BEN)⟩ \d/);
    expect((await row()).spot).toEqual(before.spot);
    await rowShows(/👀 ⟨user U0(ANN|BEN)⟩ \d/, GENERAL);
  });

  test('is unacknowledged by anybody; everybody sees it, and its owner is notified', async () => {
    const { ann, ben } = world;
    const acknowledged = await row();
    const [owner, other] = acknowledged.words.includes('👀 ⟨user U0ANN⟩') ? [ann, ben] : [ben, ann];
    await other.clicks('Unacknowledge', acknowledged);
    await other.gets('Unacknowledged #1 Email via SendGrid.', ONCALL);
    await ann.sees(`↩️ Unacknowledged by ${other === ann ? 'ann' : 'ben'} at`, GENERAL);
    await owner.sees(
      `↩️ ⟨user ${other.id}⟩ unacknowledged this incident, which you had acknowledged.`,
      owner.directMessages,
    );
  });

  test('is assigned to a person, who is notified of it and of losing it, and shown in its rows and threads', async () => {
    const { ann, ben } = world;
    await assign('ben');
    await ann.gets('🙋 Assigned #1 Email via SendGrid to ⟨user U0BEN⟩.', ONCALL);
    await rowShows('🙋 ⟨user U0BEN⟩');
    await ann.sees('🙋 Assigned to ben by ann at', GENERAL);
    const message = await ben.sees('🙋 ⟨user U0ANN⟩ assigned this incident to you.', ben.directMessages);
    await ben.clicks('Acknowledge', message);
    await rowShows('👀 ⟨user U0BEN⟩');
    await assign('ben');
    await ann.gets('#1 is already assigned to ⟨user U0BEN⟩.\n', ONCALL);
    await assign('ann');
    await ann.gets('🙋 Assigned #1 Email via SendGrid to ⟨user U0ANN⟩.', ONCALL);
    await ben.sees('🙋 ⟨user U0ANN⟩ took this incident, which you had.', ben.directMessages);
    await ben.clicks('Unacknowledge', await row());
  });

  test('is muted until a time that its row shows, and unmuted before', async () => {
    const { ann, ben } = world;
    const form = await ann.opens('Mute…', await row(), 'For how long');
    expect(form.words).toContain(': credentials refused (401) · production · #1');
    expect(form.words).toContain('Until 09:00, your time');
    expect(await ann.submits()).toEqual([]);
    await ann.gets('🔕 Muted #1 Email via SendGrid in watch 1 until', ONCALL);
    await ben.clicks('Unmute', await ben.sees('🔕 muted by ⟨user U0ANN⟩ until', ONCALL));
    await ben.gets('🔔 Unmuted', ONCALL);
    expect((await row(GENERAL)).words).not.toContain('muted');
  });

  test('is shown by a command that gives its number', async () => {
    const { ann } = world;
    const shown = await ann.asks('/notif #1', ONCALL);
    expect(shown.words).toMatch(/^🔴 .*: credentials refused \(401\) · production · #1$/m);
    expect(shown.words).toContain('→ Our credentials: ');
    expect((await ann.asks('/notif chart #1', ONCALL)).words).toContain('/notif #1, then View affected.');
  });

  test('is acknowledged from a list of failures and by words that describe it, and which is meant is asked otherwise', async () => {
    const { ann, ben } = world;
    await ben.says('failures', { channel: ben.directMessages });
    await ben.clicks('Acknowledge', await ben.sees('in the last hour', ben.directMessages));
    await rowShows('👀 ⟨user U0BEN⟩');
    await ben.clicks('Unacknowledge', await row());
    await ann.clicks('Acknowledge', await ann.asks('/notif ack the email one', ONCALL));
    await ann.gets('👀 Acknowledged #1 Email via SendGrid. Mentions stop.', ONCALL);
    await rowShows('👀 ⟨user U0ANN⟩');
    expect((await ben.asks('/notif resolve sendgrid', ONCALL)).words).toMatch(/^Which incident\?\n.* · #1\nResolve$/);
    await ann.clicks('Unacknowledge', await row());
  });

  test('is muted and unmuted by a command in the watches of its channel alone', async () => {
    const { ann, ben } = world;
    const muted = await ann.asks('/notif mute #1 2h', GENERAL);
    expect(muted.words).toContain('🔕 Muted #1 Email via SendGrid in watch 1 until');
    await ben.sees('🔕 muted by ⟨user U0ANN⟩ until', GENERAL);
    expect((await row()).words).not.toContain('🔕');
    expect((await ann.asks('/notif unmute #1', ONCALL)).words).toContain("#1 isn't muted here.");
    const mutedHere = await ben.asks('/notif #1', GENERAL);
    expect(mutedHere.words).toContain('🔕 muted by ⟨user U0ANN⟩ until');
    expect((await ben.asks('/notif #1', ONCALL)).words).not.toContain('🔕');
    const unmuted = await ann.asks('/notif unmute #1', GENERAL);
    expect(unmuted.words).toContain('🔔 Unmuted #1 Email via SendGrid in watch 1.');
  });

  test("says whom it hits if that's rare, and lists its failures, each of which can be looked up", async () => {
    const { ann } = world;
    expect((await row()).words).toContain('🏷️ all of them tenant:acme (33% of traffic)');
    await ann.clicks('View affected', await row());
    await ann.clicks('View events', await ann.gets('12 subscribers ·', ONCALL));
    await ann.clicks('Look up', await ann.gets('12 failures ·', ONCALL), 'user-7');
    const card = await ann.gets('🔴 order-shipped for user-7', ONCALL);
    expect(card.words).toMatch(/Part of #1: .*SendGrid/);
  });

  test('lists affected subscribers and sends them as a file, both only to the person who asked', async () => {
    const { ann, ben } = world;
    await ann.clicks('View affected', await row());
    const affected = await ann.gets('12 subscribers ·', ONCALL);
    expect(affected.words).toContain('🏷️ all of them tenant:acme');
    await ann.clicks('Download CSV', affected);
    await ann.gets('The list is in your DMs', ONCALL);
    await ann.sees('📄 production #1: affected subscribers', ann.directMessages);
    const { text } = await ann.opensFile('affected-production-1.csv');
    const lines = text.trimEnd().split('\r\n');
    const [, ...rows] = lines.map((line) => line.split('"')[1]);
    expect(lines[0]).toBe(
      '"subscriber","failures","first failed at","last failed at","workflow","transaction","contexts","nearly all have in common"',
    );
    expect(lines[1]).toMatch(/,"context tenant:acme"$/);
    expect(rows.toSorted()).toEqual(twelve.toSorted());
    expect(ben.messages(ben.directMessages).filter(({ files }) => files.length > 0)).toEqual([]);
  });

  test('has a file for the provider, with the answers as they came only for an operator, which the audit trail says', async () => {
    const { ann } = world;
    await ann.clicks('View affected', await row());
    await ann.clicks('For the provider', await ann.gets('12 subscribers ·', ONCALL));
    const sent = await ann.gets('Operators can have it all', ONCALL);
    const { text } = await ann.opensFile('sendgrid-production-1.csv');
    expect(text.split('\r\n')[0]).toBe(
      '"time","channel","provider","message ID","request ID","code","answer","event","transaction"',
    );
    expect(text).toMatch(/^"20[^"]+Z","email","sendgrid","[^"]*","[^"]*","401",/m);
    await ann.clicks('With the answers as they came', sent);
    await ann.gets('The list is in your DMs', ONCALL);
    await ann.sees('answers as they came, times in UTC', ann.directMessages);
    const audit = await ann.asks('/notif audit', ONCALL);
    expect(audit.words).toContain("got a file of the provider's words of #1 Email · SendGrid");
  });

  test('is assigned in a form that was open for longer than Slack takes answers, which is said in a direct message', async () => {
    const { ann, passes } = world;
    await ann.opens('Assign…', await row(), 'They get a direct message');
    await ann.fillsIn({ 'Assign to': 'ben' });
    // Slack takes answers for half an hour.
    passes(31 * MINUTE);
    expect(await ann.submits()).toEqual([]);
    await ann.sees('🙋 Assigned #1 Email via SendGrid to ⟨user U0BEN⟩.', ann.directMessages);
  });

  test('is acknowledged or assigned with others by one command', async () => {
    const { ann } = world;
    const both = await ann.asks('/notif ack #1 #999', ONCALL);
    expect(both.words).toMatch(/^(👀 Acknowledged #1|#1 is already acknowledged).*\n⚠️ There is no incident #999/);
    const assigned = await ann.asks('/notif assign #1 me', ONCALL);
    expect(assigned.words).toContain('🙋 Assigned #1 Email via SendGrid to ⟨user U0ANN⟩.');
  });

  test('has a text for a status page, which names the provider only if somebody wants it', async () => {
    const { ann } = world;
    await rowShows('⚪ recovering');
    const draft = await ann.asks('/notif draft #1', ONCALL);
    expect(draft.words).toMatch(
      /Monitoring: problems with email notifications\s+\S+day, .*: nearly all emails of these kinds did not arrive/,
    );
    expect(draft.words.replace(/^Draft update.*$/m, '')).not.toContain('SendGrid');
    await ann.clicks('Name the provider', draft);
    await ann.gets('sent through SendGrid did not arrive', ONCALL);
  });

  test('is resolved with a note and a direct message to whoever follows it', async () => {
    const { ann, ben } = world;
    await ben.clicks('On call, follow…', await row());
    const onCall = await ben.gets('#1', ONCALL);
    expect(onCall.words).toContain('No watch that covers it mentions anybody.');
    await ben.clicks('Follow', onCall);
    const followed = await ben.gets('👣', ONCALL);
    expect(followed.words).toBe('👣 Following #1 Email via SendGrid.');
    expect((await ben.asks('/notif follow #1', ONCALL)).words).toContain('#1 is already followed by you.');
    const resolved = await ann.asks('/notif resolve #1 key is back', ONCALL);
    expect(resolved.words).toBe(
      '📝 Note added to #1 Email via SendGrid: “key is back”.\n✅ Resolved #1 Email via SendGrid. If it fails again, it is alerted to again.',
    );
    const ended = await ben.sees('✅ This incident ended at ', ben.directMessages);
    expect(ended.words).toContain('#1');
  });

  test('takes a note, but nothing else, once it is resolved', async () => {
    const { ann } = world;
    expect((await ann.asks('/notif resolve #1 vault', ONCALL)).words).toMatch(
      /^📝 Note added to #1 Email via SendGrid: “vault”\.\n#1 is already resolved by ⟨user U0ANN⟩, \d/,
    );
    expect((await ann.asks('/notif ack #1', ONCALL)).words).toContain('#1 is already resolved by ⟨user U0ANN⟩');
  });

  test('is reopened, and ends again without a message to whoever stopped following it', async () => {
    const { ann, ben } = world;
    await ben.asks('/notif unfollow #1', ONCALL);
    expect((await ann.asks('/notif reopen #1', ONCALL)).words).toContain('↩️ Reopened #1 Email via SendGrid.');
    await ann.asks('/notif resolve #1', ONCALL);
    await ann.sees('Resolved by ann at', GENERAL);
    expect(ben.messages(ben.directMessages).filter(({ words }) => words.includes('incident ended'))).toHaveLength(1);
  });

  test('has a timeline of all that happened to it, which can be shared', async () => {
    const { ann, ben } = world;
    const timeline = await ben.asks('/notif timeline #1', ONCALL);
    expect(timeline.words).toMatch(
      /🔴 First failure .*📣 Alerted in .*👀 Acknowledged by .*✅ Resolved by ann\n.*↩️ Reopened by ann\n/s,
    );
    await ben.clicks('Share', timeline);
    expect((await ann.sees('Shared by ben', ONCALL)).words).toContain('✅ Resolved by ann');
  });
});
