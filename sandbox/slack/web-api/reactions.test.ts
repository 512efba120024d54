import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';

const channel = 'C0ONCALL';

describe('reactions.*', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    slack.workspace.grant('reactions:write', 'reactions:read');
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const post = async () => (await client.chat.postMessage({ channel, text: 'hello' })).ts ?? '';

  test('add a reaction to a message, and remove it', async () => {
    const item = { channel, timestamp: await post() };
    await client.reactions.add({ ...item, name: 'eyes' });
    await client.reactions.add({ ...item, name: ':+1::skin-tone-3:' });
    expect((await client.reactions.get(item)).message?.reactions).toEqual([
      { name: 'eyes', users: ['U0BOT'], count: 1 },
      { name: '+1::skin-tone-3', users: ['U0BOT'], count: 1 },
    ]);
    await client.reactions.remove({ ...item, name: 'eyes' });
    const { messages } = await client.conversations.history({ channel });
    expect(messages).toMatchObject([{ reactions: [{ name: '+1::skin-tone-3' }] }]);
  });

  test('refuse an existing one, and the removal of a missing one', async () => {
    const item = { channel, timestamp: await post(), name: 'eyes' };
    await client.reactions.add(item);
    expect(await refusalOf(client.reactions.add(item))).toMatchObject({ error: 'already_reacted' });
    await client.reactions.remove(item);
    expect(await refusalOf(client.reactions.remove(item))).toMatchObject({ error: 'no_reaction' });
  });

  test('allow at most 23 on one message', async () => {
    const item = { channel, timestamp: await post() };
    for (let count = 1; count <= 23; count += 1) await client.reactions.add({ ...item, name: `emoji_${count}` });
    const more = client.reactions.add({ ...item, name: 'emoji_24' });
    expect(await refusalOf(more)).toMatchObject({ error: 'too_many_reactions' });
  });

  test.each([
    ['a name that is none', { channel, timestamp: '1.000001', name: 'Thumbs Up' }, 'invalid_name'],
    ['a message that is not there', { channel, timestamp: '1.000001', name: 'eyes' }, 'message_not_found'],
    ['no message', { channel, name: 'eyes' }, 'no_item_specified'],
    ['a channel that the bot is not in', { channel: 'C0QUIET', timestamp: '1.000001', name: 'eyes' }, 'not_in_channel'],
  ])('refuse %s', async (_what, args, error) => {
    expect(await refusalOf(client.apiCall('reactions.add', args))).toMatchObject({ error });
  });
});
