import type { RespondFn } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { botEachTest, slackEachTest } from './local-slack.testing.ts';

const CHANNEL = 'C0ONCALL';
const BUTTON = { type: 'button' as const, action_id: 'go', text: { type: 'plain_text' as const, text: 'Go' } };
const BLOCKS = [{ type: 'actions' as const, elements: [BUTTON] }];

describe('a response_url', () => {
  let now = 1_700_000_000_000;
  const slack = slackEachTest({ now: () => now });
  const app = botEachTest(slack);
  const ann = () => slack.workspace.as('U0ANN');
  const ben = () => slack.workspace.as('U0BEN');

  async function typesCommand(): Promise<RespondFn> {
    const heard = new Promise<RespondFn>((resolve) => {
      app().command('/notif', async ({ ack, respond }) => {
        await ack();
        resolve(respond);
      });
    });
    await ann().types(CHANNEL, '/notif');
    return heard;
  }

  async function clicks(ts: string): Promise<RespondFn> {
    const heard = new Promise<RespondFn>((resolve) => {
      app().action('go', async ({ ack, respond }) => {
        await ack();
        resolve(respond);
      });
    });
    await ann().clicks({ channel: CHANNEL, ts }, { text: 'Go' });
    return heard;
  }

  test('replaces a channel message for everybody and keeps its metadata', async () => {
    const metadata = { event_type: 'digest', event_payload: { id: 'd1' } };
    const { ts = '' } = await app().client.chat.postMessage({ channel: CHANNEL, text: 't', blocks: BLOCKS, metadata });
    const respond = await clicks(ts);
    await respond({ replace_original: true, text: 'changed' });
    expect(ben().sees(CHANNEL)).toMatchObject([{ ts, text: 'changed' }]);
    const { messages } = await app().client.conversations.history({ channel: CHANNEL, include_all_metadata: true });
    expect(messages?.[0]?.metadata).toEqual(metadata);
  });

  test('can’t replace the line of a command, and posts instead', async () => {
    const respond = await typesCommand();
    await respond({ replace_original: true, text: 'first' });
    await respond({ replace_original: true, text: 'second' });
    expect(ann().sees(CHANNEL)).toHaveLength(2);
  });

  test('shows one person an answer in a thread only once somebody has replied, and refuses a thread that isn’t there', async () => {
    const { ts = '' } = await app().client.chat.postMessage({ channel: CHANNEL, text: 't', blocks: BLOCKS });
    const respond = await clicks(ts);
    await respond({ text: 'too early', thread_ts: ts });
    expect(ann().sees(CHANNEL)).toHaveLength(1);
    await expect(respond({ text: 'lost', thread_ts: '1.000001' })).rejects.toMatchObject({ statusCode: 400 });
    await respond({ text: 'for all', thread_ts: ts, response_type: 'in_channel' });
    await respond({ text: 'psst', thread_ts: ts });
    expect(
      ann()
        .sees(CHANNEL)
        .map(({ text }) => text),
    ).toEqual(['t', 'for all', 'psst']);
  });

  test('can’t answer in a channel that was archived or deleted', async () => {
    const respond = await typesCommand();
    ann().archives(CHANNEL);
    await expect(respond('too late')).rejects.toMatchObject({ statusCode: 400 });
    expect(slack.calls.of('response_url').at(-1)?.answer).toMatchObject({ error: 'is_archived' });
    ann().unarchives(CHANNEL);
    await slack.workspace.deleteChannel(CHANNEL);
    await expect(respond('too late')).rejects.toMatchObject({ statusCode: 400 });
    expect(slack.calls.of('response_url').at(-1)?.answer).toMatchObject({ error: 'channel_not_found' });
  });

  test('works five times', async () => {
    const respond = await typesCommand();
    for (let use = 0; use < 5; use += 1) await respond('again');
    await expect(respond('once more')).rejects.toMatchObject({ statusCode: 404 });
    expect(slack.calls.of('response_url').at(-1)?.answer).toMatchObject({ error: 'used_url' });
  });

  test('works for 30 minutes', async () => {
    const respond = await typesCommand();
    now += 30 * 60_000;
    await respond('in time');
    now += 1;
    await expect(respond('too late')).rejects.toMatchObject({ statusCode: 404 });
    expect(slack.calls.of('response_url').at(-1)?.answer).toMatchObject({ error: 'expired_url' });
  });
});
