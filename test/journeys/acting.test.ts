import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { inWorld, openWorld, type World } from '../support/world.ts';

const HOUR = 60 * 60_000;

/** Plants failures of one incident, one for each subscriber. */
function plant({ service }: World, ...subscribers: readonly string[]): void {
  for (const subscriber of subscribers) {
    service.world.plantEvent(failed('email', { subscriber, contextKeys: ['tenant:acme'] }));
  }
}

const twelve = Array.from({ length: 12 }, (_, index) => `user-${index + 1}`);

describe('an incident', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await world.log.until('events checked');
    await world.ann.types('/notif watch', GENERAL);
    await world.ann.sees('created a watch here', GENERAL);
    for (const _ of [...twelve, ...twelve])
      world.service.world.plantEvent(delivered({ contextKeys: ['tenant:globex'] }));
    plant(world, ...twelve);
    await world.ann.sees('12 people', ONCALL);
    await world.ann.sees('12 people', GENERAL);
    await world.log.until('message posted', 2);
  });
  afterAll(() => world.close());
  const row = (channel = ONCALL) => world.ann.sees('Unauthorized (401)\n12 ', channel);
  const rowShows = (words: string | RegExp, channel = ONCALL) =>
    expect.poll(async () => (await row(channel)).words).toMatch(words);

  test('is acknowledged by the first of two people who click at once, and the other sees who it was', async () => {
    const { ann, ben } = world;
    const before = await row();
    await Promise.all([ann.choosesFromMenu('Acknowledge', before), ben.choosesFromMenu('Acknowledge', before)]);
    const answers = await Promise.all([ann.gets('cknowledged', ONCALL), ben.gets('cknowledged', ONCALL)]);
    const words = answers.map((answer) => answer.words);
    expect(words.filter((one) => one.startsWith('👀 Acknowledged #1. Mentions stop.'))).toHaveLength(1);
    const second = /^#1 is already acknowledged\.\n(.*\n)+👀 ⟨user U0(ANN|BEN)⟩ \d/;
    expect(words.filter((one) => second.test(one))).toHaveLength(1);
    await rowShows(/👀 ⟨user U0(ANN|BEN)⟩ \d/);
    expect((await row()).spot).toEqual(before.spot);
    await rowShows(/👀 ⟨user U0(ANN|BEN)⟩ \d/, GENERAL);
  });

  test('is unacknowledged by anybody; everybody sees it, and its owner is notified', async () => {
    const { ann, ben } = world;
    const acknowledged = await row();
    const [owner, other] = acknowledged.words.includes('👀 ⟨user U0ANN⟩') ? [ann, ben] : [ben, ann];
    await other.choosesFromMenu('Unacknowledge', acknowledged);
    await other.gets('Unacknowledged #1.', ONCALL);
    await ann.sees(`↩️ Unacknowledged by ${other === ann ? 'ann' : 'ben'} at`, GENERAL);
    await owner.sees(
      `↩️ ⟨user ${other.id}⟩ unacknowledged this incident, which you had acknowledged.`,
      owner.directMessages,
    );
  });

  test('is assigned to a person who gets a direct message, and its rows and threads show the assignee', async () => {
    const { ann, ben } = world;
    await ann.opens('Assign…', await row(), 'They get a direct message');
    await ann.fillsIn({ 'Assign to': 'ben' });
    expect(await ann.submits()).toEqual([]);
    await ann.gets('🙋 Assigned #1 to ⟨user U0BEN⟩.', ONCALL);
    await rowShows('🙋 ⟨user U0BEN⟩');
    await ann.sees('🙋 Assigned to ben by ann at', GENERAL);
    const message = await ben.sees('🙋 ⟨user U0ANN⟩ assigned this incident to you.', ben.directMessages);
    await ben.clicks('Acknowledge', message);
    await rowShows('👀 ⟨user U0BEN⟩');
    await ann.opens('Assign…', await row(), 'They get a direct message');
    await ann.fillsIn({ 'Assign to': 'ben' });
    expect(await ann.submits()).toEqual([]);
    await ann.gets('#1 is already theirs.', ONCALL);
    await ann.opens('Assign…', await row(), 'They get a direct message');
    await ann.fillsIn({ 'Assign to': 'ann' });
    expect(await ann.submits()).toEqual([]);
    await ann.gets('🙋 Assigned #1 to ⟨user U0ANN⟩.', ONCALL);
    await ben.sees('🙋 ⟨user U0ANN⟩ took over this incident from you.', ben.directMessages);
    await ben.choosesFromMenu('Unacknowledge', await row());
  });

  test('is muted until a time that its row shows, and unmuted before', async () => {
    const { ann, ben } = world;
    const form = await ann.opens('Mute…', await row(), 'For how long');
    expect(form.words).toContain(': Unauthorized (401) · production · #1');
    expect(form.words).toContain('Until 09:00, your time');
    expect(await ann.submits()).toEqual([]);
    await ann.gets('🔕 Muted #1 in watch 1 until', ONCALL);
    await ben.choosesFromMenu('Unmute', await ben.sees('🔕 muted by ⟨user U0ANN⟩ until', ONCALL));
    await ben.gets('🔔 Unmuted', ONCALL);
    expect((await row(GENERAL)).words).not.toContain('muted');
  });

  test('is shown with its buttons to the person who types its number alone', async () => {
    const { ann } = world;
    const number = /#\d+/.exec((await row()).words)?.[0] ?? '';
    const shown = await ann.asks(`/notif ${number}`, ONCALL);
    expect(shown).toMatchObject({ onlyFor: ann.id });
    expect(shown.words).toMatch(new RegExp(`^🔴 .*: Unauthorized \\(401\\) · production · ${number}$`, 'm'));
    expect(shown.words).toContain('Acknowledge');
  });

  test('is acknowledged and muted by a command that gives its number', async () => {
    const { ann, ben } = world;
    const number = /#\d+/.exec((await row()).words)?.[0] ?? '';
    expect((await ann.asks(`/notif ack ${number}`, ONCALL)).words).toContain('👀 Acknowledged #1. Mentions stop.');
    await rowShows('👀 ⟨user U0ANN⟩');
    expect((await ben.asks(`/notif ack ${number}`, ONCALL)).words).toContain('#1 is already acknowledged.');
    for (const line of ['ack', 'resolve sendgrid', 'unmute mailgun'])
      expect((await ben.asks(`/notif ${line}`, ONCALL)).words).toContain('Name an incident by its number');
    const both = await ben.asks(`/notif ack ${number} #4711`, ONCALL);
    expect(both.words).toContain('/notif ack takes one incident at a time.');
    expect((await ben.asks('/notif ack #4711', ONCALL)).words).toContain('No incident has the number #4711');
    const muted = await ann.asks(`/notif mute ${number} 2h`, GENERAL);
    expect(muted.words).toContain('🔕 Muted #1 in watch 1 until');
    await ben.sees('🔕 muted by ⟨user U0ANN⟩ until', GENERAL);
    expect((await row()).words).not.toContain('🔕');
    expect((await ann.asks(`/notif unmute ${number}`, ONCALL)).words).toContain("#1 isn't muted here.");
    const unmuted = await ann.asks(`/notif unmute ${number}`, GENERAL);
    expect(unmuted.words).toContain('🔔 Unmuted #1 in watch 1.');
    await ann.choosesFromMenu('Unacknowledge', await row());
  });

  test("says whom it hits if that's rare among all events", async () => {
    expect((await row()).words).toContain('🏷️ all of them tenant:acme (33% of traffic)');
  });

  test('lists its failures, each of which can be looked up', async () => {
    const { ann } = world;
    await ann.clicks('View events', await row());
    await ann.picks('user-1', 'event.look-up', await ann.gets('· 12 failures', ONCALL));
    const card = await ann.gets('🔴 Failed · order-shipped for user-1', ONCALL);
    expect(card.words).toMatch(/Part of incident #1: .*SendGrid/);
  });

  test('lists affected subscribers and sends them as a file, both only to the person who asked', async () => {
    const { ann, ben } = world;
    await ann.clicks('View events', await row());
    await ann.clicks('View affected', await ann.gets('· 12 failures', ONCALL));
    const affected = await ann.gets('· 12 subscribers', ONCALL);
    await ann.clicks('Download CSV', affected);
    await ann.gets('The list is in your direct messages', ONCALL);
    const { text } = await ann.opensFile('affected-production-1.csv');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('subscriber,failures,first failed at,last failed at');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(twelve.toSorted());
    expect(ben.messages(ben.directMessages).filter(({ files }) => files.length > 0)).toEqual([]);
  });

  test('leaves a log entry for each acknowledgment and assignment', () => {
    expect(world.log.saying('incident acknowledged')).toHaveLength(3);
    expect(world.log.saying('incident assigned')).toMatchObject([{ by: 'U0ANN' }, { by: 'U0ANN' }]);
    expect(world.log.saying('incident unacknowledged')).toHaveLength(3);
  });
});

test(
  'an incident of yesterday is resolved, and what fails today of the same cause is another one',
  inWorld({}, async (world) => {
    const { ann, ben, log, passes } = world;
    await log.until('events checked');
    plant(world, 'user-1');
    await ann.sees('#1', ONCALL);
    await ben.asks('/notif resolve #1', ONCALL);
    await ann.sees('✅ resolved by ⟨user U0BEN⟩', ONCALL);
    passes(30 * HOUR);
    plant(world, 'user-2');
    await ann.sees('#2', ONCALL);
    expect((await ann.asks('/notif ack #1', ONCALL)).words).toContain('#1 is already resolved.');
    expect((await ann.asks('/notif ack #2', ONCALL)).words).toContain('👀 Acknowledged #2.');
  }),
);
