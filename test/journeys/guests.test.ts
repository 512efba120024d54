import { beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { FLOWS } from '../declared-flows.ts';
import { GENERAL, Person } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const PARTNER = 'C0PARTNER';

describe('who looks from outside, over http', () => {
  const world = sharedWorld(() => openWorld({ mode: 'http' }));

  describe.each([
    { membership: 'Guests', id: 'U0GUS', channel: GENERAL },
    { membership: 'People from other organizations', id: 'U0SAM', channel: PARTNER },
  ])('$membership', ({ membership, id, channel }) => {
    let visitor: Person;
    beforeAll(async () => {
      visitor = new Person(id, world.slack.workspace);
    });

    const refusal = `${membership} can't use Notif in this workspace.`;

    test('are refused a command that guests can use elsewhere, with the reason and whom to ask', async () => {
      const answer = await visitor.asks('/notif help', channel);
      expect(answer.words).toBe(`⚠️ ${refusal}\nAsk a member of the workspace.`);
    });

    test('are refused the shortcuts', async () => {
      await visitor.choosesShortcut('send_test_notification');
      await visitor.seesModal(refusal);
      await visitor.closes();
      await world.ann.types('txn_in_a_message1', channel);
      const message = await visitor.sees('txn_in_a_message1', channel);
      await visitor.choosesMessageShortcut('look_up_notification', message);
      await visitor.gets(refusal, channel);
    });

    test('are refused mentions and the buttons of shared messages', async () => {
      const { ann, service } = world;
      await visitor.says('@Notif txn_8f2c91', { channel });
      await visitor.gets(refusal, channel);
      expect(ann.messages(channel).filter(({ words }) => words.includes(refusal))).toEqual([]);
      const event = service.world.plantEvent(delivered({ subscriber: 'shown-to-all' }));
      await ann.clicks('Share', await ann.asks(`/notif ${event._id}`, channel));
      if (channel === PARTNER) await ann.clicks('Share anyway', await ann.gets('Share it anyway?', channel));
      const shown = await visitor.sees('order-shipped for shown-to-all', channel);
      await visitor.clicks('Look up', shown);
      await visitor.gets(refusal, channel);
    });

    test('are refused the Home tab', async () => {
      await visitor.opensHome();
      await visitor.seesHome(refusal);
    });
  });
});

/** The commands that guests can use, if any. */
const OPEN = [
  ...['event', 'events', 'failures', 'messages', 'integrations', 'changes', 'chart', 'history', 'topic'],
  ...['status', 'help', 'stats', 'subscriber', 'timeline', 'affected'],
];
const commandsIn = (words: string) =>
  new Set(words.split('\n').flatMap((line) => /^([a-z]+) — /.exec(line)?.[1] ?? []));

describe('guests who can look things up', () => {
  const world = sharedWorld(() => openWorld({ variables: { NOTIF_GUESTS: 'allow', NOTIF_OPERATORS: '*' } }));
  let gus: Person;
  beforeAll(async () => {
    gus = new Person('U0GUS', world.slack.workspace);
  });

  test('can look up an event, list failures and view raw, but not send it again', async () => {
    const event = world.service.world.plantEvent(delivered({ subscriber: 'looked-at' }));
    const card = await gus.asks(`/notif ${event._id}`, GENERAL);
    expect(card.words).toContain('✅ order-shipped for looked-at');
    expect((await gus.asks('/notif failures', GENERAL)).words).toContain('production');
    await gus.opens('View raw', card, 'without secrets and contacts');
    await gus.closes();
    expect(card.words).not.toContain('Send again');
  });

  test('see the commands that they can use in help, where members see every command', async () => {
    const all = FLOWS.commands.map(({ word }) => word).toSorted();
    expect([...commandsIn((await world.ann.asks('/notif help')).words)].toSorted()).toEqual(all);
    const shown = await gus.asks('/notif help', GENERAL);
    expect([...commandsIn(shown.words)].toSorted()).toEqual(OPEN.toSorted());
    expect(shown.words).toContain('You can look things up here as a guest.');
  });

  test.each(['watch', 'trigger', 'audit'])('are refused /notif %s, which is for others', async (word) => {
    const answer = await gus.asks(`/notif ${word}`, GENERAL);
    expect(answer.words).toContain('Guests can only look things up here.');
  });

  test("can list an incident's events and whom it affects, but not act on it or download the list", async () => {
    world.service.world.plantEvent(failed('email', { subscriber: 'seen-by-a-guest' }));
    await world.polls();
    const answer = await gus.asks('/notif failures', GENERAL);
    await gus.clicks('View affected', answer);
    const affected = await gus.gets('Download CSV', GENERAL);
    await gus.clicks('View events', affected);
    await gus.gets('seen-by-a-guest', GENERAL);
    await gus.clicks('Download CSV', affected);
    await gus.gets('can only look things up here', GENERAL);
    await gus.clicks('Acknowledge', answer);
    await gus.gets('can only look things up here', GENERAL);
  });
});

test('a form is taken only from those who can open it', () => {
  const forms = FLOWS.routes.filter(({ surface }) => surface === 'view');
  expect(Object.fromEntries(forms.map((form) => [form.id, form.for]))).toEqual({
    'lookup.find': 'everyone',
    'incident.form': 'members',
    'watch.edit-form': 'members',
    'trigger.send': 'operators',
    'credentials.form': 'operators',
    'resend.choose': 'operators',
    'resend.send': 'operators',
  });
});
