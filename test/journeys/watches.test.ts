import { beforeAll, describe, expect, test, vi } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { parseMuteLength } from '../../src/watches/parse-mute.ts';
import { GENERAL, ONCALL, type Person, type ShownMessage, type ShownModal } from '../support/person.ts';
import { openWorldAsleep, sharedWorld } from '../support/world.ts';

async function opensAll(person: Person, list: ShownMessage): Promise<ShownModal> {
  await person.clicks('Edit', list);
  await person.clicks('More settings…', await person.seesModal('How soon'));
  return person.seesModal('Minimum failures');
}

describe("a channel's watches", () => {
  const world = sharedWorld(() => openWorldAsleep());
  beforeAll(async () => {
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await world.start();
    await world.log.until('"newEvents":1');
  });

  test('are created by a command and announced in the channel with all their settings', async () => {
    const { ann } = world;
    await ann.types('/notif watch channel:email min:5 within:10m every:15m quiet:22:00-07:00 mention:@oncall');
    const made = await ann.sees('created a watch here', GENERAL);
    expect(made.onlyFor).toBeNull();
    expect(made.words).toContain('\nOnly channel email\n');
    expect(made.words).toContain('after 5 failures in 10 min · at least 15 min between alerts · mentions @oncall');
    expect(made.words).toContain('quiet 22:00 – 07:00 · daily summary at 09:00 · times in Europe/Berlin');
    expect(made.words).toMatch(/It would have alerted to nothing since .*; 1 incident stayed below its threshold/);
  });

  test("need a confirmation if a name hasn't been seen, and the nearest name is offered", async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif watch workflow:order-shiped,ann@acme.example');
    expect(answer.words).toMatch(/may never fire\.\nNo workflow order-shiped seen yet\. Did you mean order-shipped\?/);
    await ann.clicks('Create anyway', answer);
    const made = await ann.sees('Only workflow order-shiped', GENERAL);
    expect(made.words).toContain('times in Europe/Berlin');
  });

  test('are listed for anyone who asks, with whom they mention, and a wrong setting is explained', async () => {
    const { ann, ben } = world;
    const list = await ben.asks('/notif watches');
    expect(list.words).toContain('2 watches here');
    expect(list.words).toContain('mentions ⟨usergroup S0ONCALL⟩');
    expect(list.words).toContain('2 · Only workflow order-shiped or a•••@acme.example');
    const refused = await ann.asks('/notif watch min:many');
    expect(refused.words).toMatch(/min: takes a number of failures[\s\S]*For example: min:5/);
  });

  test('are changed in a form, after a preview', async () => {
    const { ann } = world;
    const form = await opensAll(ann, await ann.asks('/notif watches'));
    expect(form.words).toContain('@oncall');
    await ann.fillsIn({ 'Minimum failures': '2', Within: '1h', Topics: '' });
    await ann.clicks('Preview', form);
    await ann.seesModal('1 incident stayed below its threshold');
    await ann.closes();
    await ann.fillsIn({
      'Minimum failures': '7',
      Within: '1h',
      Topics: ['launch', 'winter'],
      'Time zone': 'Asia/Tokyo',
    });
    await ann.fillsIn({
      'Quiet hours': '',
      Summary: '',
      Subscribers: 'user-42\nanna@example.com',
      'Mention a person': '@ben',
      'Or mention': '',
    });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Saved');
    const post = await ann.sees('changed a watch here');
    expect(post.words).toMatch(/Only channel email, subscriber user-42 or a•••@example\.com, topic launch or winter/);
    expect(post.words).toContain('after 7 failures in 1 h · at least 15 min between alerts · mentions ben');
    expect(post.words).toContain('no summary · times in Asia/Tokyo');
    expect(post.words).not.toContain('quiet 22:00');
    await ann.closes();
  });

  test('are announced in their channel when changed, also if the form was closed meanwhile', async () => {
    const { ann, slack } = world;
    await opensAll(ann, await ann.asks('/notif watches'));
    await ann.fillsIn({ 'Minimum failures': '6' });
    // Slack's answer for a closed view.
    slack.faults.next('views.update', { kind: 'error', error: 'not_found' });
    const updates = slack.calls.of('views.update').length;
    expect(await ann.submits()).toEqual([]);
    await ann.sees('after 6 failures in 1 h');
    await vi.waitUntil(() => slack.calls.of('views.update').length > updates, { timeout: 60_000 });
    await ann.closes();
  });

  test('keep what two people change at once, who are asked where it differs', async () => {
    const { ann, ben } = world;
    const open = async (...people: readonly Person[]) => {
      for (const person of people) {
        await opensAll(person, await person.asks('/notif watches'));
      }
    };
    const saves = async (person: Person, answers: Parameters<Person['fillsIn']>[0], words: string) => {
      await person.fillsIn(answers);
      expect(await person.submits()).toEqual([]);
      return (await person.seesModal(words)).words;
    };
    await open(ann, ben);
    await saves(ben, { Topics: 'spring', 'Escalate if': '10m' }, 'Saved');
    const kept = await saves(ann, { 'Minimum failures': '8', 'Escalate if': '10m' }, 'Saved');
    expect(kept).toMatch(/meanwhile, and kept:\nTopics: spring\nEscalate if critical after: 10m(\n|$)/);
    const post = await ann.sees('after 8 failures in 1 h');
    expect(post.words).toMatch(/topic spring .*\n.* after 10 min without/);
    await open(ann, ben);
    await saves(ben, { 'Minimum failures': '9', Topics: '' }, 'Saved');
    const asked = await saves(ann, { 'Minimum failures': '', Within: '', Topics: 'summer' }, 'Somebody else changed');
    expect(asked).toContain(
      '\nTopics · saved: empty · yours: summer\nThreshold · saved: min:9, within:1h · yours: empty',
    );
    await saves(ann, { 'Threshold: ch': 'Keep what is saved', 'Topics: ch': 'Save what this form has' }, 'Saved');
    expect((await ann.sees('topic summer')).words).toContain('after 9 failures in 1 h');
  });

  test('are muted until a time and unmuted, visibly to everybody', async () => {
    const { ann, ben } = world;
    await ann.types('/notif mute 2h 2');
    const muted = await ben.sees('muted watch 2 until', GENERAL);
    expect((await ann.asks('/notif unmute 1')).words).toContain("Watch 1 isn't muted.");
    expect((await ben.asks('/notif watches')).words).toContain(`muted by ⟨user ${ann.id}⟩ until`);
    await ben.clicks('Unmute', muted);
    await ann.sees('unmuted watch 2', GENERAL);
    await ben.clicks('Unmute', muted);
    await ben.gets("Watch 2 isn't muted.");
    expect((await ann.asks('/notif unmute')).words).toContain('No watch of this channel is muted');
    await ann.clicks('Mute 1 h', await ann.asks('/notif watches 2'));
    await ann.sees('muted watch 2', GENERAL);
    await ann.types('/notif mute until:09:00 2');
    // Ann is in Berlin, and the watch is in UTC.
    const morning = parseMuteLength('09:00')?.(new Date(), 'Europe/Berlin').to.toISOString().slice(11, 16);
    await ben.sees(`${morning} UTC. You'll get what you missed then. What gets worse is muted too`, GENERAL);
  });

  test('are removed once, by their number or by a click', async () => {
    const { ann, ben } = world;
    expect((await ann.asks('/notif unwatch')).words).toContain('This channel has 2 watches. Which one?');
    expect((await ben.asks('/notif watches 9')).words).toContain('This channel has no watch 9.');
    const list = await ben.asks('/notif watches 2');
    expect(list.words).toContain('2 watches here');
    await opensAll(ben, list);
    await ann.types('/notif unwatch 2');
    const ended = await ben.sees('removed a watch', GENERAL);
    expect(ended.words).toContain('Only workflow order-shiped');
    expect(await ben.submits()).toEqual([]);
    expect((await ben.seesModal('This watch was removed')).words).not.toContain('To try again');
    await ben.closesAll();
    await ben.clicks('Remove', list);
    await ben.gets('This watch was removed');
    await ben.types('/notif watch channel:sms');
    await ben.sees('Only channel sms', GENERAL);
    expect((await ann.asks('/notif unwatch 2')).words).toContain('This channel has no watch 2.');
    await ann.types('/notif unwatch 3');
    const removed = () => ann.messages(GENERAL).filter(({ words }) => words.includes('removed a watch')).length;
    await vi.waitUntil(() => removed() === 2, { timeout: 60_000 });
    await ann.types('/notif unwatch');
    await vi.waitUntil(() => removed() === 3, { timeout: 60_000 });
    expect((await ann.asks('/notif watches')).words).toContain('This channel has no watch');
    expect((await ann.asks('/notif unwatch', ONCALL)).words).toContain('NOTIF_DIGEST_CHANNEL');
  });

  test('are made in a form of what most people set, with a test alert for oneself before saving', async () => {
    const { ann } = world;
    await ann.types('/notif watch');
    const form = await ann.seesModal('How soon');
    expect(form.words).not.toContain('Minimum failures');
    expect(await ann.isOffered('watch.workflow', 'order')).toEqual(expect.arrayContaining(['order-shipped']));
    expect(await ann.isOffered('watch.provider', 'sendg')).toEqual(['sendgrid', 'sendg (as typed)']);
    await ann.fillsIn({ Workflows: 'order-shipped', 'How soon': 'From 5 failures', Summary: 'None' });
    await ann.clicks('Preview', form);
    await ann.seesModal('1 incident stayed below its threshold');
    await ann.closes();
    await ann.fillsIn({ 'How soon': 'Right away' });
    await ann.clicks('Send a test alert to me', form);
    await ann.seesModal('Sent to your DMs with Notif.');
    const sample = await ann.sees('Test alert of a watch', ann.directMessages);
    expect(sample.words).toMatch(/Only workflow order-shipped[\s\S]*times in Europe\/Berlin[\s\S]*SendGrid/);
    await ann.closes();
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Saved: it alerts');
    const made = await ann.sees('created a watch here', GENERAL);
    expect(made.words).toMatch(/Only workflow order-shipped[\s\S]*no summary/);
    await ann.closesAll();
  });

  test('are made in the form for a channel that Notif is in, and only once a name that nobody saw is confirmed', async () => {
    const { ann } = world;
    await ann.types('/notif watch');
    await ann.seesModal('How soon');
    await ann.fillsIn({ Workflows: 'order-shiped' });
    expect(await ann.submits()).toEqual([]);
    const asked = await ann.seesModal('This watch may never fire.');
    expect(asked.words).toContain('Save again to create it anyway.');
    await ann.fillsIn({ Channel: '#quiet' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal("Notif isn't in that channel.");
    await ann.fillsIn({ Channel: '#oncall' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Saved: it alerts');
    await ann.sees('Only workflow order-shiped', ONCALL);
    await ann.closesAll();
  });
});

describe('watches of email addresses, and several of one channel', () => {
  const world = sharedWorld(() => openWorldAsleep());
  beforeAll(async () => {
    for (const subscriber of ['user-1', 'user-2']) world.service.world.plantEvent(delivered({ subscriber }));
    await world.start();
    await world.log.until('Events checked');
  });

  const addressOf = (subscriber: string) => world.service.world.subscribers.get(subscriber)?.email ?? '';

  test('cover the subscribers whose address it is, and say so to its creator alone', async () => {
    const { ann, log } = world;
    await ann.types(`/notif watch email:${addressOf('user-1')} tz:UTC`);
    const answer = await ann.gets('Watching subscriber user-1 for');
    expect(answer.onlyFor).toBe(ann.id);
    expect(answer.words).toContain("doesn't follow an address to another subscriber");
    expect(answer.words).not.toContain(addressOf('user-1'));
    const made = await ann.sees('Only subscriber user-1', GENERAL);
    expect(made.words).not.toContain('people.sandbox.example');
    expect(log.saying('people.sandbox.example')).toEqual([]);
  });

  test('are looked up when the command is repeated once the service can be asked', async () => {
    const { ann, service } = world;
    service.faults.set('listEvents', { kind: 'status', status: 401 });
    const command = `/notif watch email:${addressOf('user-2')} min:3 tz:UTC`;
    expect((await ann.asks(command)).words).toContain('the API key was refused (401)');
    service.faults.clear();
    await ann.types(command);
    const made = await ann.sees('Only subscriber user-2', GENERAL);
    expect(made.words).toContain('after 3 failures');
  });

  test('are changed in a form, which keeps an address that is not found', async () => {
    const { ann, service } = world;
    await opensAll(ann, await ann.asks('/notif watches 2'));
    await ann.fillsIn({ 'Minimum failures': '4', 'Email addresses': 'anna' });
    expect(await ann.submits()).toEqual(['Takes email addresses, at most 10.']);
    await ann.fillsIn({ 'Email addresses': `nobody@people.example\n${addressOf('user-1')}` });
    expect(await ann.submits()).toEqual([]);
    const again = await ann.seesModal('No subscriber of n•••@people.example');
    expect(again.words).toContain('Nothing is saved yet');
    expect(again.words).toContain(`nobody@people.example\n${addressOf('user-1')}`);
    expect(again.words).toContain('\n4\n');
    await ann.fillsIn({ 'Email addresses': addressOf('user-1') });
    service.faults.set('listEvents', { kind: 'status', status: 401 });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('the API key was refused (401)');
    service.faults.clear();
    await ann.fillsIn({ Workflows: 'order-shiped' });
    expect(await ann.submits()).toEqual([]);
    const saved = await ann.seesModal('Saved');
    expect(saved.words).toContain('No workflow order-shiped seen yet.');
    expect(saved.words).toContain('Watching subscriber user-1 for');
    await ann.sees('Only workflow order-shiped, subscriber user-2 or user-1', GENERAL);
  });

  test('of which a change is not saved say so in a direct message to a person who closed the form', async () => {
    const { ann, service } = world;
    await opensAll(ann, await ann.asks('/notif watches 2'));
    await ann.fillsIn({ 'Email addresses': 'nobody@example.com', 'Minimum failures': '7' });
    service.faults.set('listEvents', { kind: 'slow', ms: 1_500 });
    await ann.submits();
    await ann.closesAll();
    service.faults.clear();
    await ann.sees('Nothing is saved yet.', ann.directMessages);
  });
});
