import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';
import { input, letters, modal, plain, section, times, type View } from './sample-blocks.testing.ts';

/** Each limit with a view of a given size, and where Slack points if the view exceeds it. */
const LIMITS: readonly [what: string, limit: number, (size: number) => View, pointer: string][] = [
  ['characters in a title', 24, (n) => modal({ title: plain(letters(n)) }), '/view/title/text'],
  ['characters on the submit button', 24, (n) => modal({ submit: plain(letters(n)) }), '/view/submit/text'],
  ['characters on the close button', 24, (n) => modal({ close: plain(letters(n)) }), '/view/close/text'],
  ['characters of private metadata', 3000, (n) => modal({ private_metadata: letters(n) }), '/view/private_metadata'],
  ['characters in a callback_id', 255, (n) => modal({ callback_id: letters(n) }), '/view/callback_id'],
  ['characters in an external_id', 255, (n) => modal({ external_id: letters(n) }), '/view/external_id'],
  ['blocks of a modal', 100, (n) => modal({ blocks: times(n, () => ({ type: 'divider' })) }), '/view/blocks'],
  [
    'characters in an alert',
    200,
    (n) => modal({ blocks: [{ type: 'alert', text: plain(letters(n)) }] }),
    '/view/blocks/0/text/text',
  ],
  ['elements with the focus', 1, (n) => modal({ blocks: times(n, focused).flat() }), '/view/blocks'],
];

const focused = () => input({ type: 'plain_text_input', focus_on_load: true });

describe('the limits of views', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const open = (view: View) => refusalOf(client.apiCall('views.open', { trigger_id: 'none', view }));
  // Slack validates a view before its trigger, so a valid view gets only this error.
  const taken = { error: 'invalid_trigger_id' };

  test.each(LIMITS)('allow at most this many %s: %i', async (_what, limit, viewOf, pointer) => {
    expect(await open(viewOf(limit))).toMatchObject(taken);
    expect(await open(viewOf(limit + 1))).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: expect.arrayContaining([expect.stringContaining(`[json-pointer:${pointer}]`)]) },
    });
  });

  test('allow at most 100 blocks of a Home tab', async () => {
    const publish = (blocks: number) =>
      client.apiCall('views.publish', {
        user_id: 'U0ANN',
        view: { type: 'home', blocks: times(blocks, () => ({ type: 'divider' })) },
      });
    expect(await publish(100)).toMatchObject({ ok: true });
    expect(await refusalOf(publish(101))).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: expect.arrayContaining(['[ERROR] no more than 100 items allowed [json-pointer:/view/blocks]']),
      },
    });
  });

  test('allow a view of at most 250,000 bytes', async () => {
    const sized = (bytes: number) => {
      const blocks = times(85, () => section({ text: plain(letters(2870)) })).flat();
      const rest = bytes - JSON.stringify(modal({ blocks, private_metadata: '' })).length;
      return modal({ blocks, private_metadata: letters(rest) });
    };
    expect(await open(sized(250_000))).toMatchObject(taken);
    expect(await open(sized(250_001))).toMatchObject({ error: 'view_too_large' });
  });
});
