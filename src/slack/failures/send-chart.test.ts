import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf, startSlack } from '../../../sandbox/slack/testing.ts';
import type { Sharing } from '../../domain/access/shared-channel.ts';
import { sendChart } from './send-chart.ts';

const ANN = 'U0ANN';
const file = (isForOne: boolean) => ({
  name: isForOne ? 'for-ann.png' : 'for-all.png',
  title: 'Failures',
  content: Buffer.from('a picture'),
  altText: 'Bar chart',
  comment: '*Failures*',
});

describe('a chart', () => {
  let slack: LocalSlack;
  let poor: LocalSlack;
  beforeAll(async () => {
    [slack, poor] = await Promise.all([startSlack(), startSlack({ withoutScopes: ['files:write'] })]);
  });
  afterAll(() => Promise.all([slack.close(), poor.close()]));

  const send = (
    channelId: string | null,
    { to = slack, sharing = 'none' }: { to?: LocalSlack; sharing?: Sharing } = {},
  ) =>
    sendChart(
      file,
      { userId: ANN, channelId, threadTs: null },
      { client: clientOf(to), channels: { sharing: async () => sharing } },
    );
  const seen = (channel: string) =>
    slack.workspace
      .as(ANN)
      .sees(channel)
      .flatMap(({ text, files }) => files.map(({ name, altText }) => [text, name, altText]));

  test('is posted where it was requested, with its text', async () => {
    expect(await send('C0ONCALL')).toEqual({ is: 'here' });
    expect(seen('C0ONCALL')).toEqual([['*Failures*', 'for-all.png', 'Bar chart']]);
    expect(seen('D0ANN')).toEqual([]);
  });

  test.each([
    ['Notif is not there', 'C0QUIET', 'none', { why: 'closed', word: 'not_in_channel' }],
    ['others read it', 'C0GENERAL', 'shared', { why: 'shared', sharing: 'shared' }],
    ['there is no conversation', null, 'none', null],
  ] as const)("goes to the person's direct messages if %s", async (_, channel, sharing, reason) => {
    const before = seen('D0ANN').length;
    expect(await send(channel, { sharing })).toEqual({ is: 'in direct messages', reason });
    expect(seen('D0ANN').slice(before)).toEqual([['*Failures*', 'for-ann.png', 'Bar chart']]);
    if (channel !== null) expect(seen(channel)).toEqual([]);
  });

  test("isn't posted if the app lacks the scope", async () => {
    const reason = { why: 'not-granted', scope: 'files:write' };
    expect(await send('C0ONCALL', { to: poor })).toEqual({ is: 'nowhere', reason });
    expect(await send(null, { to: poor })).toEqual({ is: 'nowhere', reason });
  });

  test('rejects with any other error from Slack', async () => {
    slack.faults.next('files.completeUploadExternal', { kind: 'error', error: 'invalid_blocks' });
    await expect(send('C0ONCALL')).rejects.toThrow('invalid_blocks');
  });
});
