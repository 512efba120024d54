import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';

const channel = 'C0ONCALL';
const DAY_S = 24 * 3_600;
/** The start of a five-minute period. */
const START_S = 1_700_000_100;

describe('scheduled messages', () => {
  let slack: LocalSlack;
  let client: WebClient;
  let now: number;
  beforeEach(async () => {
    now = START_S * 1_000;
    slack = await startSlack({ now: () => now });
    client = clientOf(slack);
  });
  afterEach(() => slack.close());

  const schedule = (seconds: number, text = 'later') =>
    client.chat.scheduleMessage({ channel, text, post_at: START_S + seconds });
  const waiting = async () => (await client.chat.scheduledMessages.list({})).scheduled_messages ?? [];
  const seen = () => slack.workspace.as('U0ANN').sees(channel);

  test('are listed until they are posted', async () => {
    const { scheduled_message_id: id } = await schedule(600);
    expect(await waiting()).toMatchObject([{ id, channel_id: channel, post_at: START_S + 600, text: 'later' }]);
    expect(seen()).toEqual([]);
    now += 600_000;
    await slack.workspace.until(() => seen().length === 1, { what: 'the message' });
    expect(seen()).toMatchObject([{ text: 'later', author: 'U0BOT' }]);
    expect(await waiting()).toEqual([]);
  });

  test('can be deleted until a minute before', async () => {
    const soon = (await schedule(59)).scheduled_message_id ?? '';
    const later = (await schedule(60)).scheduled_message_id ?? '';
    const takeBack = (id: string) => client.chat.deleteScheduledMessage({ channel, scheduled_message_id: id });
    await takeBack(later);
    for (const id of [soon, later]) {
      expect(await refusalOf(takeBack(id))).toMatchObject({ error: 'invalid_scheduled_message_id' });
    }
    expect(await waiting()).toMatchObject([{ id: soon }]);
  });

  test('can be at most 120 days ahead, and not in the past', async () => {
    await schedule(120 * DAY_S);
    expect(await refusalOf(schedule(120 * DAY_S + 1))).toMatchObject({ error: 'time_too_far' });
    expect(await refusalOf(schedule(0))).toMatchObject({ error: 'time_in_past' });
    expect(await refusalOf(schedule(0.5))).toMatchObject({ error: 'invalid_time' });
  });

  test('can be at most 30 within five minutes of a channel', async () => {
    for (let count = 0; count < 30; count += 1) await schedule(300 + count);
    expect(await refusalOf(schedule(599))).toMatchObject({ error: 'restricted_too_many' });
    await schedule(600);
  });

  test('are refused for the same reasons as immediate ones', async () => {
    const elsewhere = client.chat.scheduleMessage({ channel: 'C0QUIET', text: 't', post_at: START_S + 60 });
    expect(await refusalOf(elsewhere)).toMatchObject({ error: 'not_in_channel' });
    expect(await refusalOf(schedule(60, 'a'.repeat(40_001)))).toMatchObject({ error: 'msg_too_long' });
  });
});
