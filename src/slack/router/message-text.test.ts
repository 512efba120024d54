import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recognise } from '../../lib/input/ids.ts';
import { textsIn } from './message-text.ts';

const ID = 'txn_8f2c91';

const idsIn = (message: unknown) => recognise(textsIn(message), []).map(({ target }) => `${target.kind} ${target.id}`);

const leaves = (...elements: readonly object[]) => ({
  type: 'message',
  user: 'U0ANN0000',
  ts: '1760000000.000100',
  text: '',
  blocks: [{ type: 'rich_text', block_id: 'x1Y2z', elements: [{ type: 'rich_text_section', elements }] }],
});
const bot = (parts: object) => ({
  type: 'message',
  subtype: 'bot_message',
  text: '',
  ts: '1760000000.000100',
  bot_id: 'B0123ABCD',
  app_id: 'A0123ABCD',
  team: 'T0123ABCD',
  bot_profile: { id: 'B0123ABCD', name: 'alerts-2', icons: { image_36: 'https://a.slack-edge.com/80588/x_36.png' } },
  ...parts,
});

describe('the IDs in an alert', () => {
  test.each<[sender: string, message: object]>([
    [
      'Alertmanager, an attachment with a title and fields',
      bot({
        attachments: [
          {
            id: 1,
            color: 'a30200',
            title: '[FIRING:1] DeliveryFailed (worker critical)',
            title_link: 'https://alerts.example.com/#/alerts?receiver=oncall',
            fallback: '[FIRING:1] DeliveryFailed | https://alerts.example.com/#/alerts?receiver=oncall',
            mrkdwn_in: ['fallback', 'pretext', 'text'],
            fields: [
              { title: 'Severity', value: 'critical', short: true },
              { title: 'Transaction', value: ID, short: true },
            ],
          },
        ],
      }),
    ],
    [
      'Sentry, blocks in an attachment, with an id of its own in the block id',
      bot({
        attachments: [
          {
            fallback: '[api] DeliveryError',
            blocks: [
              {
                type: 'section',
                block_id: '{"issue":4509988776}',
                text: { type: 'mrkdwn', text: `could not deliver ${ID}` },
              },
              {
                type: 'actions',
                elements: [
                  { type: 'button', action_id: 'dialog9', value: 'resolve:4509988776', text: { text: 'Resolve' } },
                ],
              },
            ],
          },
        ],
      }),
    ],
  ])('of %s are those that it is about, and nothing from its markup', (_, message) => {
    expect(idsIn(message)).toEqual([`transaction ${ID}`]);
  });
});

describe("the IDs in a person's message", () => {
  test.each<[what: string, message: object, ids: readonly string[]]>([
    [
      'a person, a channel, a group and a date',
      leaves(
        { type: 'user', user_id: 'U0ANN0000' },
        { type: 'channel', channel_id: 'C0ONCALL1' },
        { type: 'usergroup', usergroup_id: 'S0ONCALL1' },
        { type: 'date', timestamp: 1760000000, format: '{date}', fallback: '20251009T0853' },
        { type: 'color', value: '#a30200' },
        { type: 'text', text: ` ${ID}` },
      ),
      [`transaction ${ID}`],
    ],
    [
      'a message that was forwarded',
      {
        type: 'message',
        text: 'look',
        attachments: [
          {
            id: 1,
            ts: '1760000000.000100',
            is_share: true,
            is_msg_unfurl: true,
            author_name: 'Ben 2nd-shift',
            channel_name: 'ops-2026x',
            from_url: 'https://example.slack.com/archives/C0ONCALL1/p1760000000000100',
            fallback: '[October 9th, 2026 8:53 AM] ben.smith42: could not deliver',
            footer: 'Posted in #ops-2026x',
            text: 'could not deliver',
            message_blocks: [
              {
                team: 'T0123ABCD',
                channel: 'C0ONCALL1',
                ts: '1760000000.000100',
                message: { blocks: leaves({ type: 'text', text: ID }).blocks },
              },
            ],
          },
        ],
      },
      [`transaction ${ID}`],
    ],
    [
      'a button that leads somewhere',
      bot({
        blocks: [
          {
            type: 'actions',
            elements: [{ type: 'button', value: 'v1b2c3', url: `https://dash.example.com/?transactionId=${ID}` }],
          },
        ],
      }),
      [`transaction ${ID}`],
    ],
  ])('of %s', (_, message, ids) => {
    expect(idsIn(message)).toEqual(ids);
  });
});

describe('the texts in anything that Slack can send', () => {
  test('never throw, and stay within the limit', () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        expect(textsIn(message).length).toBeLessThanOrEqual(40_000);
      }),
    );
    expect(textsIn({ text: 'a '.repeat(1_000_000) }).length).toBeLessThanOrEqual(40_000);
  });
});
