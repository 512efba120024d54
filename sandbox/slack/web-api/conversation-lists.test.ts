import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { objectsIn } from '../json.ts';
import { CHANNELS, type SeedChannel } from '../seed.ts';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';

const PRIVATE: SeedChannel = { id: 'C0SECRET', name: 'secret', kind: 'private', members: ['U0ANN', 'U0BOT'] };
const HIDDEN: SeedChannel = { id: 'C0HIDDEN', name: 'hidden', kind: 'private', members: ['U0ANN'] };

describe('lists of conversations', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeEach(async () => {
    slack = await startSlack({ channels: [...CHANNELS, PRIVATE, HIDDEN] });
    slack.workspace.grant('im:read', 'mpim:read', 'channels:join');
    client = clientOf(slack);
  });
  afterEach(() => slack.close());

  const idsOf = (answer: unknown) => objectsIn(answer, 'channels').map(({ id }) => id);

  test('have public channels unless other types are requested', async () => {
    const publicIds = ['C0ONCALL', 'C0GENERAL', 'C0QUIET', 'C0PARTNER'];
    expect(idsOf(await client.conversations.list({}))).toEqual(publicIds);
    expect(idsOf(await client.conversations.list({ types: 'private_channel, mpim' }))).toEqual(['C0SECRET']);
    expect(idsOf(await client.conversations.list({ types: 'im' }))).toContain('D0ANN');
    expect(idsOf(await client.users.conversations({}))).toEqual(['C0ONCALL', 'C0GENERAL', 'C0PARTNER']);
    expect(idsOf(await client.users.conversations({ user: 'U0GUS' }))).toEqual(['C0GENERAL']);
  });

  test('omit archived channels on request, and are paged', async () => {
    await slack.workspace.as('U0ANN').archives('C0GENERAL');
    const ids: unknown[] = [];
    for await (const page of client.paginate('conversations.list', { exclude_archived: true, limit: 2 })) {
      ids.push(idsOf(page));
    }
    expect(ids).toEqual([['C0ONCALL', 'C0QUIET'], ['C0PARTNER']]);
  });

  test('need the scope of each type', async () => {
    slack.workspace.revoke('groups:read');
    const both = client.conversations.list({ types: 'public_channel,private_channel' });
    expect(await refusalOf(both)).toMatchObject({ error: 'missing_scope', needed: 'groups:read' });
  });

  test.each([
    ['a type that is none', { types: 'channel' }, 'invalid_types'],
    ['a made up cursor', { cursor: 'abc' }, 'invalid_cursor'],
    ['a limit of 0', { limit: 0 }, 'invalid_limit'],
  ])('refuse %s', async (_what, args, error) => {
    expect(await refusalOf(client.conversations.list(args))).toMatchObject({ error });
    expect(await refusalOf(client.users.conversations(args))).toMatchObject({ error });
  });

  test('refuse an unknown person', async () => {
    expect(await refusalOf(client.users.conversations({ user: 'U0EVE' }))).toMatchObject({ error: 'user_not_found' });
  });

  test('let the bot join a public channel once', async () => {
    const join = () => client.conversations.join({ channel: 'C0QUIET' });
    expect(await join()).toMatchObject({ channel: { id: 'C0QUIET', is_member: true } });
    expect(await join()).toMatchObject({ ok: true, warning: 'already_in_channel' });
    await client.chat.postMessage({ channel: 'C0QUIET', text: 'here I am' });
  });

  test.each([
    ['a private channel', 'C0SECRET', 'method_not_supported_for_channel_type'],
    ['a channel that it can’t see', 'C0HIDDEN', 'channel_not_found'],
    ['an archived channel', 'C0QUIET', 'is_archived'],
  ])('don’t let the bot join %s', async (_what, channel, error) => {
    await slack.workspace.as('U0ANN').archives('C0QUIET');
    expect(await refusalOf(client.conversations.join({ channel }))).toMatchObject({ error });
  });
});
