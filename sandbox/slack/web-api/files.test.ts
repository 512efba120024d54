import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, refusalOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

const CSV = '\u{feff}subscriber,failures\r\nuser-1,3\r\n';
const oncall = 'C0ONCALL';

describe('files', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeEach(async () => {
    slack = await startSlack();
    slack.workspace.grant('files:write', 'files:read', 'im:write');
    client = clientOf(slack);
  });
  afterEach(() => slack.close());

  const announce = async (length: number) => {
    const { file_id: id = '', upload_url: url = '' } = await client.files.getUploadURLExternal({
      filename: 'a.csv',
      length,
    });
    return { id, url };
  };
  const complete = (id: string, channel = oncall) =>
    client.files.completeUploadExternal({ files: [{ id }], channel_id: channel });
  const upload = async (content: string) => {
    const { id, url } = await announce(Buffer.byteLength(content));
    await fetch(url, { method: 'POST', body: content });
    return id;
  };

  test.each([
    ['a string', CSV],
    ['a buffer', Buffer.from(CSV)],
  ])('can be %s from Slack’s own client, and are shown to the person they were sent to', async (_what, content) => {
    const { channel } = await client.conversations.open({ users: 'U0ANN' });
    const file = Buffer.isBuffer(content) ? { file: content } : { content };
    const target = { channel_id: channel?.id ?? '' };
    await client.filesUploadV2({ ...file, ...target, filename: 'subscribers.csv', title: 'Subscribers' });
    const [message] = slack.workspace.as('U0ANN').sees('D0ANN');
    expect(message).toMatchObject({ author: 'U0BOT', files: [{ name: 'subscribers.csv' }] });
    const id = message?.files[0]?.id ?? '';
    expect(slack.workspace.as('U0ANN').reads(id)).toBe(CSV);
    expect(() => slack.workspace.as('U0BEN').reads(id)).toThrow(`ben sees no file ${id}`);
  });

  test('can be posted in a thread', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel: oncall, text: 'a digest' });
    const file = { content: CSV, filename: 'a.csv' };
    await client.filesUploadV2({ ...file, channel_id: oncall, thread_ts: ts });
    expect(slack.workspace.as('U0ANN').sees(oncall)[1]).toMatchObject({ threadTs: ts, files: [{ name: 'a.csv' }] });
  });

  test('are refused in a thread of nothing, but the upload stays', async () => {
    const id = await upload(CSV);
    const files: [{ id: string }] = [{ id }];
    const lost = client.files.completeUploadExternal({ files, channel_id: oncall, thread_ts: '1.000001' });
    expect(await refusalOf(lost)).toMatchObject({ error: 'cannot_reply_to_message' });
    await expect(complete(id)).resolves.toMatchObject({ files: [{ id }] });
  });

  test('are refused with another number of bytes than announced, and at an unknown URL', async () => {
    const { id, url } = await announce(3);
    expect((await fetch(url, { method: 'POST', body: 'four' })).status).toBe(400);
    expect((await fetch(`${slack.url}/upload/v1/nothing`, { method: 'POST', body: 'x' })).status).toBe(404);
    expect(await refusalOf(complete(id))).toMatchObject({ error: 'file_not_found' });
  });

  test('are completed once', async () => {
    const id = await upload(CSV);
    await complete(id);
    expect(await refusalOf(complete(id))).toMatchObject({ error: 'file_not_found' });
  });

  test.each([
    ['an unknown channel', 'C0NOWHERE', 'channel_not_found'],
    ['the id of a person', 'U0ANN', 'channel_not_found'],
    ['a channel that the bot is not in', 'C0QUIET', 'not_in_channel'],
  ])('can’t be completed for %s, but the upload stays', async (_what, channel, error) => {
    const id = await upload(CSV);
    expect(await refusalOf(complete(id, channel))).toMatchObject({ error });
    await expect(complete(id)).resolves.toMatchObject({ files: [{ id }] });
  });

  test('can’t be empty, as in Slack', async () => {
    expect(await refusalOf(announce(0))).toMatchObject({ error: 'missing_argument' });
  });

  test('can lose their bytes by a fault', async () => {
    slack.faults.next('upload', { kind: 'http', status: 503 });
    const id = await upload(CSV);
    expect(await refusalOf(complete(id))).toMatchObject({ error: 'file_not_found' });
    expect(slack.calls.of('upload')).toMatchObject([{ args: { bytes: Buffer.byteLength(CSV) } }]);
  });
});
