import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, Person } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const PARTNER = 'C0PARTNER';

describe.each([
  { mode: 'socket', standing: 'Guests', id: 'U0GUS', channel: GENERAL },
  { mode: 'http', standing: 'People from other organizations', id: 'U0SAM', channel: PARTNER },
] as const)('$standing, over $mode', ({ mode, standing, id, channel }) => {
  let world: World;
  let visitor: Person;
  beforeAll(async () => {
    world = await openWorld({ mode });
    visitor = new Person(id, world.slack.workspace);
  });
  afterAll(() => world.close());

  const refusal = `${standing} may not use Notif in this workspace.`;

  it.each(['help', 'failures', 'txn_8f2c91', 'trigger', 'watch', 'status', 'env staging', 'no-such-thing'])(
    'are refused /notif %s, and told why and whom to ask',
    async (words) => {
      const answer = await visitor.asks(`/notif ${words}`, channel);
      expect(answer.words).toContain(refusal);
      expect(answer.words).toContain('⟨user U0ANN⟩');
      expect(answer.words).toContain('NOTIF_GUESTS=allow');
    },
  );

  it('are refused the shortcuts', async () => {
    await visitor.choosesShortcut('send_test_notification');
    await visitor.seesModal(refusal);
    await visitor.closes();
    await world.ann.types('txn_in_a_message1', channel);
    const message = await visitor.sees('txn_in_a_message1', channel);
    await visitor.choosesMessageShortcut('look_up_notification', message);
    await visitor.gets(refusal, channel);
  });

  it('are refused a mention and the buttons that others were shown', async () => {
    await visitor.says('@Notif txn_8f2c91', { channel });
    await visitor.sees(refusal, channel);
    const { ann, service } = world;
    const event = service.world.plantEvent(delivered({ subscriber: 'shown-to-all' }));
    await ann.says(`@Notif ${event._id}`, { channel });
    const shown = await visitor.sees('order-shipped for shown-to-all', channel);
    await visitor.clicks('Look up', shown);
    await visitor.gets(refusal, channel);
  });

  it('are refused the Home tab', async () => {
    await visitor.opensHome();
    await visitor.seesHome(refusal);
  });
});

describe('guests who may look things up', () => {
  let world: World;
  let gus: Person;
  beforeAll(async () => {
    world = await openWorld({ variables: { NOTIF_GUESTS: 'allow', NOTIF_OPERATORS: '*' } });
    gus = new Person('U0GUS', world.slack.workspace);
  });
  afterAll(() => world.close());

  it('look up, list and read', async () => {
    const event = world.service.world.plantEvent(delivered({ subscriber: 'looked-at' }));
    const card = await gus.asks(`/notif ${event._id}`, GENERAL);
    expect(card.words).toContain('✅ Delivered · order-shipped for looked-at');
    expect((await gus.asks('/notif failures', GENERAL)).words).toContain('production');
    await gus.opens('Raw', card, 'without secrets and contacts');
  });

  it.each(['trigger', 'watch', 'unwatch', 'mute', 'unmute', 'env production', 'credentials user-1'])(
    'change nothing by /notif %s, whoever the operators are',
    async (words) => {
      const answer = await gus.asks(`/notif ${words}`, GENERAL);
      expect(answer.words).toContain('Guests may look things up here, and change nothing.');
    },
  );

  it('send nothing again', async () => {
    const event = world.service.world.plantEvent(delivered({ subscriber: 'not-again' }));
    const card = await gus.asks(`/notif ${event._id}`, GENERAL);
    await gus.clicks('Send again', card);
    await gus.gets('Guests may look things up here, and change nothing.', GENERAL);
  });
});
