import { beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import type { SeedChannel, SeedPerson, SeedUserGroup } from '../../sandbox/slack/seed.ts';
import { CHANNELS, ENTERPRISE, PEOPLE } from '../../sandbox/slack/seed.ts';
import { GENERAL, ONCALL, Person } from '../support/person.ts';
import { inWorld, MINUTE, openWorld, sharedWorld } from '../support/world.ts';

const PARTNER = 'C0PARTNER';
const PENDING = 'C0PENDING';
const SECRET = 'C0SECRET';
const GROUP = 'C0GROUP';
const OTHERS = 'C0OTHERS';

const ODD_CHANNELS: readonly SeedChannel[] = [
  ...CHANNELS,
  { id: PENDING, name: 'pending', isPendingShared: true, members: ['U0ANN', 'U0BEN', 'U0BOT'] },
  { id: SECRET, name: 'secret', kind: 'private', members: ['U0ANN', 'U0BEN'] },
  { id: GROUP, name: 'mpdm-ann--ben--notif-1', kind: 'group', members: ['U0ANN', 'U0BEN', 'U0BOT'] },
  { id: OTHERS, name: 'mpdm-ann--ben--gus-1', kind: 'group', members: ['U0ANN', 'U0BEN', 'U0GUS'] },
];

describe('conversations of every kind', () => {
  const world = sharedWorld(() => openWorld({ workspace: { channels: ODD_CHANNELS } }));
  let sam: Person;
  beforeAll(async () => {
    sam = new Person('U0SAM', world.slack.workspace);
  });

  const looksUp = async (channel: string, subscriber: string) => {
    const event = world.service.world.plantEvent(failed('email', { subscriber }));
    return world.ann.asks(`/notif ${event._id}`, channel);
  };

  test.each([PARTNER, PENDING])(
    'shared with another organization get a watch only after a confirmation, and doctor lists it: %s',
    async (channel) => {
      const { ann } = world;
      const question = await ann.asks('/notif watch channel:sms', channel);
      expect(question.words).toContain('People from other organizations may be able to read');
      expect(ann.messages(channel).filter(({ onlyFor }) => onlyFor === null)).toEqual([]);
      await ann.clicks('Create anyway', question);
      await ann.sees('created a watch here', channel);
      expect((await ann.asks('/notif doctor')).words).toMatch(new RegExp(`can read the alerts.*⟨channel ${channel}⟩`));
    },
  );

  test('shared with another organization get the answer to a mention only after a confirmation', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'mentioned-there' }));
    await ann.says(`@Notif ${event._id}`, { channel: PARTNER });
    const answer = await ann.gets('order-shipped for mentioned-there', PARTNER);
    expect(sam.messages(PARTNER).filter(({ words }) => words.includes('mentioned-there'))).toEqual([]);
    await ann.clicks('Share', answer);
    await ann.clicks('Share anyway', await ann.gets('Share it anyway?', PARTNER));
    await sam.sees('order-shipped for mentioned-there', PARTNER);
  });

  test('shared with another organization get no message about a mention whose lookup fails', async () => {
    const { ann, service } = world;
    const before = sam.messages(PARTNER).length;
    service.faults.set('retrieveEvent', { kind: 'status', status: 401 });
    await ann.says('@Notif 65f2a1c0d4e5f60718293a4b', { channel: PARTNER });
    await ann.gets('the API key was refused', PARTNER);
    service.faults.clear();
    expect(sam.messages(PARTNER).slice(before)).toMatchObject([{ words: expect.stringContaining('65f2a1c0') }]);
  });

  test('of one organization get a shared answer at once', async () => {
    const { ann, ben } = world;
    await ann.clicks('Share', await looksUp(ONCALL, 'shared-at-once'));
    await ben.sees('order-shipped for shared-at-once', ONCALL);
    await ann.clicks('Share', await looksUp(GROUP, 'shared-with-group'));
    await ben.sees('order-shipped for shared-with-group', GROUP);
  });

  test('that Slack says nothing about get a shared answer after a confirmation', async () => {
    const { ann, ben } = world;
    await ann.clicks('Share', await looksUp(OTHERS, 'shared-unseen'));
    const question = await ann.gets('People from other organizations may be able to read', OTHERS);
    await ann.clicks('Share anyway', question);
    await ben.sees('order-shipped for shared-unseen', OTHERS);
  });

  test.each([
    ['a group message', GROUP],
    ['the direct message with Notif', 'D0ANN'],
  ])('with Notif can have a watch: %s', async (_, channel) => {
    await world.ann.types('/notif watch channel:sms', channel);
    await world.ann.sees('created a watch here', channel);
  });

  test("without Notif can't have a watch, and the answer says what to do", async () => {
    const { words } = await world.ann.asks('/notif watch summary:09:00', SECRET);
    expect(words).toContain("Notif isn't in this conversation");
    expect(words).toContain('or use your DMs with Notif');
  });

  test('get the watch that was typed by one click, once Notif is invited', async () => {
    const { ann } = world;
    const channel = ann.createsChannel('not-yet');
    const refused = await ann.asks('/notif watch channel:sms min:7 within:1h', channel);
    ann.invitesBot(channel);
    await ann.clicks('Try again', refused);
    expect((await ann.sees('created a watch here', channel)).words).toContain('after 7 failures in 1 h');
  });

  test('lose their watch when they are deleted, and its creator is notified', async () => {
    const { ann, slack, service, log } = world;
    const channel = ann.createsChannel('short-lived');
    ann.invitesBot(channel);
    await ann.types('/notif watch channel:push summary:off', channel);
    await ann.sees('created a watch here', channel);
    await slack.workspace.deleteChannel(channel);
    expect((await ann.asks('/notif doctor')).words).toContain(
      "There is no such channel, or it's private and Notif isn't in it",
    );
    log.expects(/"outcome":"shut-out"/);
    service.world.plantEvent(failed('push', { subscriber: 'nobody-sees' }));
    await ann.asks('/notif failures');
    const message = await ann.sees(`⟨channel ${channel}⟩`, ann.directMessages);
    expect(message.words).toContain('choose another channel');
  });
});

const THOUSANDS = Array.from({ length: 10_000 }, (_, index) => `U1${index}`);
const LAST = THOUSANDS.at(-1) ?? '';

const ODD_PEOPLE: readonly SeedPerson[] = [
  ...PEOPLE,
  { id: 'U0NEMO', name: 'nemo', isNameless: true, timeZone: null },
  { id: 'U0FAR', name: 'far', realName: '<!channel> *Far* & <https://evil.example|away>', timeZone: 'Mars/Olympus' },
  { id: 'U0YUKI', name: 'yuki', realName: '雪 山田', timeZone: 'Asia/Tokyo' },
  { id: 'W0GRACE', name: 'grace', teamId: 'T0SISTER', enterpriseId: ENTERPRISE.id },
  ...THOUSANDS.map((id) => ({ id, name: id.toLowerCase() })),
];
const EVERYBODY = ['U0ANN', 'U0BEN', 'U0NEMO', 'U0FAR', 'U0YUKI', 'W0GRACE', LAST, 'U0BOT'];
const FAR = 'C0FAR';
const PEOPLES_CHANNELS: readonly SeedChannel[] = [
  { id: FAR, name: 'far', members: EVERYBODY },
  { id: ONCALL, name: 'oncall', members: EVERYBODY },
  { id: GENERAL, name: 'general', members: EVERYBODY },
];
const THOUSANDS_OF_OPERATORS: readonly SeedUserGroup[] = [{ id: 'S0ALL', handle: 'all', members: THOUSANDS }];

describe('people of every kind', () => {
  const world = sharedWorld(() =>
    openWorld({
      variables: { NOTIF_OPERATORS: 'S0ALL,W0GRACE' },
      workspace: {
        people: ODD_PEOPLE,
        channels: PEOPLES_CHANNELS,
        userGroups: THOUSANDS_OF_OPERATORS,
        isInEnterprise: true,
      },
    }),
  );

  const someone = (id: string) => new Person(id, world.slack.workspace);

  test('are operators by a user group of ten thousand, requested from Slack once for each command', async () => {
    const last = someone(LAST);
    await last.types('/notif trigger order-shipped');
    await last.seesModal('Send a test');
    await last.closesAll();
    const answer = await world.ben.asks('/notif trigger order-shipped');
    expect(answer.words).toContain('Only operators');
    expect(world.slack.calls.of('usergroups.users.list')).toHaveLength(2);
  });

  test('count as members and operators from another workspace of the same organization', async () => {
    const grace = someone('W0GRACE');
    const event = world.service.world.plantEvent(failed('email', { subscriber: 'for-grace' }));
    const card = await grace.asks(`/notif ${event._id}`);
    await grace.clicks('Share', card);
    const shared = await world.ben.sees('order-shipped for for-grace');
    expect(shared.words).toContain('Shared by grace');
    await grace.types('/notif trigger order-shipped');
    await grace.seesModal('Send a test');
    await grace.closesAll();
    await grace.says(`@Notif ${event._id}`, { channel: ONCALL });
    await world.ben.sees('order-shipped for for-grace', ONCALL);
  });

  test.each([
    ['without a name or a time zone', 'U0NEMO', 'times in UTC', GENERAL],
    ['whose name is markup, in a time zone that nobody knows', 'U0FAR', 'times in UTC', FAR],
    ['who use Slack in another language, in their time zone', 'U0YUKI', 'times in Asia/Tokyo', ONCALL],
  ])('can create watches: those %s', async (_, id, zone, channel) => {
    const person = someone(id);
    await person.types('/notif watch channel:sms mention:me quiet:22:00-07:00', channel);
    const made = await world.ben.sees('created a watch here', channel);
    expect(made.words).toContain(zone);
    expect(made.words).not.toContain('evil.example');
    expect(world.ben.mentions(channel)).toEqual([]);
    await person.opensHome();
    await person.seesHome('production');
  });
});

describe('people with an ID of their workspace and another of their Enterprise Grid', () => {
  /** Cy is known to the workspace by the ID of the organization, and the others the other way round. */
  const GRID: readonly SeedPerson[] = [
    ...PEOPLE.map((person) => ({ ...person, enterpriseUserId: person.id.replace('U', 'W') })),
    { id: 'W0CY', name: 'cy', enterpriseUserId: 'U0CY' },
  ];
  const channels = CHANNELS.map((channel) => ({ ...channel, members: [...channel.members, 'W0CY'] }));
  const userGroups = [{ id: 'S0ONCALL', handle: 'oncall', members: ['W0BEN'] }];
  const world = sharedWorld(() =>
    openWorld({
      variables: { NOTIF_OPERATORS: 'W0ANN,S0ONCALL,U0CY' },
      workspace: { people: GRID, channels, userGroups, isInEnterprise: true },
    }),
  );

  test.each(['U0ANN', 'U0BEN', 'W0CY'])('are operators by either, also as members of a user group: %s', async (id) => {
    const person = new Person(id, world.slack.workspace);
    await person.types('/notif trigger order-shipped');
    await person.seesModal('Send a test');
    await person.closesAll();
  });

  test('are the same who acted, follow and have an incident, by either', async () => {
    const { ann, ben, log, service, polls } = world;
    await log.until('Events checked');
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await polls();
    await ann.asks('/notif assign #1 <@W0BEN>', ONCALL);
    const direct = async (words: string) => (await ben.sees(words, ben.directMessages)).words;
    await direct('assigned this incident to you');
    expect((await ann.asks('/notif assign #1 <@U0BEN>', ONCALL)).words).toContain(
      '#1 is already assigned to ⟨user W0BEN⟩.',
    );
    await ben.asks('/notif follow #1', ONCALL);
    await ann.asks('/notif resolve #1', ONCALL);
    await direct('This incident ended');
    await ann.asks('/notif reopen #1', ONCALL);
    await ben.asks('/notif assign #1 <@W0ANN>', ONCALL);
    await ann.sees('assigned this incident to you', ann.directMessages);
    await ben.asks('/notif unfollow #1', ONCALL);
    const words = ben.messages(ben.directMessages).map((message) => message.words.split('\n')[0]);
    expect(words.filter((line) => line?.includes('This incident ended'))).toHaveLength(1);
    expect(words.filter((line) => line?.includes('which you had'))).toEqual([]);
  });
});

test(
  'operators of a user group lose their right an hour after Slack last said that they are in it, and at once if it is gone',
  inWorld({ variables: { NOTIF_OPERATORS: 'S0ONCALL' } }, async ({ ann, ben, slack, log, passes }) => {
    log.expects(/An interaction couldn't be answered/);
    const audit = async () => (await ann.asks('/notif audit')).words;
    const status = async () => (await ben.asks('/notif status')).words;
    expect(await audit()).toContain('no changes');
    slack.faults.always('usergroups.users.list', { kind: 'rate-limited', retryAfterSeconds: 30 });
    slack.workspace.changeUserGroup('S0ONCALL', ['U0BEN']);
    passes(59 * MINUTE);
    expect(await audit()).toContain('no changes');
    expect(await status()).toMatch(
      /Its last answer is 59 min old, and counts until it is an hour old: ⟨usergroup S0ONCALL⟩/,
    );
    passes(2 * MINUTE);
    const refused = await audit();
    expect(refused).toMatch(
      /it doesn't say who is in ⟨usergroup S0ONCALL⟩, an operators' group \(ratelimited\)\.\nTry again in/,
    );
    expect(await status()).toMatch(/\(ratelimited\), so its members are refused: ⟨usergroup S0ONCALL⟩/);
    slack.faults.clear();
    expect(await audit()).toMatch(/^⚠️ Only operators can do this\.\nAsk ⟨usergroup S0ONCALL⟩\.$/);
    for (const members of [[], null]) {
      slack.workspace.changeUserGroup('S0ONCALL', members);
      expect(await audit()).toContain('Only operators can do this.');
      passes(5 * MINUTE);
      expect((await ben.asks('/notif doctor')).words).toContain('is no user group in use, or has no members: S0ONCALL');
    }
  }),
);
