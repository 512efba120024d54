import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { botOf, refusalOf, startSlackWith } from '../testing.ts';

const channel = 'C0ONCALL';
const url = 'https://app.example.com/events/1';
const unfurls = { [url]: { blocks: [{ type: 'section', text: { type: 'plain_text', text: 'Event 1' } }] } };

describe('unfurling', () => {
  let slack: LocalSlack;
  let app: App;
  beforeEach(async () => {
    slack = await startSlackWith({
      'features.unfurl_domains': ['example.com'],
      'settings.event_subscriptions.bot_events': ['link_shared'],
    });
    slack.workspace.grant('links:read', 'links:write');
    app = botOf(slack);
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  const say = async (text: string) => {
    await slack.workspace.as('U0ANN').says(channel, text);
    return slack.workspace.as('U0ANN').sees(channel).at(-1)?.ts ?? '';
  };
  const unfurl = (args: Record<string, unknown>) => app.client.apiCall('chat.unfurl', { channel, unfurls, ...args });

  test('reports links to the app’s domains, and no others', async () => {
    const heard: object[] = [];
    app.event('link_shared', async ({ event }) => {
      heard.push(event);
    });
    await app.start();
    await say('see https://elsewhere.test/1');
    const ts = await say(`see ${url} and https://example.com.evil.test/2`);
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 60_000 });
    const links = [{ domain: 'example.com', url }];
    const where = { channel, message_ts: ts, user: 'U0ANN', is_bot_user_member: true, source: 'conversations_history' };
    expect(heard).toMatchObject([{ type: 'link_shared', links, ...where }]);
  });

  test('shows what is behind a link under the message, once even if repeated', async () => {
    const ts = await say(`see ${url}`);
    await unfurl({ ts });
    await unfurl({ ts });
    const [message] = slack.workspace.as('U0BEN').sees(channel);
    expect(message).toMatchObject({ attachments: [{ app_unfurl_url: url, blocks: [{ type: 'section' }] }] });
    expect(message?.attachments).toHaveLength(1);
    expect(message?.edited).toBe(false);
  });

  test.each([
    ['a link that the message does not have', { unfurls: { 'https://example.com/2': {} } }, 'cannot_unfurl_message'],
    ['a link to somewhere else', { unfurls: { 'https://elsewhere.test/1': { text: 't' } } }, 'cannot_unfurl_url'],
    ['blocks that are none', { unfurls: { [url]: { blocks: [{ type: 'section' }] } } }, 'cannot_parse_attachment'],
    ['something that is no object', { unfurls: 'x' }, 'cannot_parse_attachment'],
    ['a message that is not there', { ts: '1.000001' }, 'cannot_find_message'],
    ['a channel that is not there', { channel: 'C0NOWHERE' }, 'cannot_find_channel'],
    ['nothing', { unfurls: undefined }, 'missing_unfurls'],
    ['no message', { ts: undefined }, 'missing_ts'],
    ['no channel', { channel: undefined }, 'missing_channel'],
  ])('refuses %s', async (_what, args, error) => {
    const ts = await say(`see ${url} and https://elsewhere.test/1`);
    expect(await refusalOf(unfurl({ ts, ...args }))).toMatchObject({ error });
  });
});
