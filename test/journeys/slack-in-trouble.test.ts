import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import { clientOf } from '../../sandbox/slack/testing.ts';
import { GENERAL } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('a bot in Slack', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  /** The bot holds two connections, so that one covers for the other. */
  const isConnected = () =>
    world.slack.workspace.until(() => world.slack.workspace.botConnections === 2, {
      what: 'two connections',
      timeoutMs: 20_000,
    });

  test('answers while Slack replaces one of its connections', async () => {
    const { ann, slack } = world;
    await isConnected();
    slack.faults.refreshSockets('refresh_requested', 1);
    await ann.asks('/notif help');
  });

  test('answers again after all its connections were cut', async () => {
    const { ann, slack, log } = world;
    await isConnected();
    slack.faults.dropSockets();
    await log.until('A connection to Slack ends; opening the next', 3);
    await isConnected();
    await ann.asks('/notif help');
  });

  test('answers a repeated command once', async () => {
    const { ann, slack, service } = world;
    const { _id } = service.world.plantEvent(delivered({ subscriber: 'repeated' }));
    await ann.asks(`/notif event ${_id}`);
    slack.faults.redeliverLast();
    await ann.asks('/notif help');
    expect(ann.messages().filter(({ words }) => words.includes('for repeated'))).toHaveLength(1);
  });

  test('answers a click on an outdated button with what to do', async () => {
    const { ann, slack } = world;
    const button = { type: 'button', action_id: 'retired', text: { type: 'plain_text', text: 'Retired' } } as const;
    await clientOf(slack).chat.postMessage({
      channel: GENERAL,
      text: 'old',
      blocks: [{ type: 'actions', elements: [button] }],
    });
    await ann.clicks('Retired', await ann.sees('Retired'));
    const answer = await ann.gets('This is from an older version of Notif and no longer works.');
    expect(answer.words).toContain('/notif help');
  });

  test('shows in help what the person is allowed to do', async () => {
    const { ann, ben } = world;
    expect((await ann.asks('/notif help')).words).toContain('trigger');
    const words = (await ben.asks('/notif')).words;
    expect(words).not.toContain('trigger');
    expect(words).toContain('Operators can also send tests');
  });
});
