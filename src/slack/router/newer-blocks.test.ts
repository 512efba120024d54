import { expect, test, vi } from 'vitest';
import { alert, section } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import { refusedAsText } from './newer-blocks.ts';

const NEWER = [alert('error', mrkdwn`Wrong key`)];

/** Makes a call of Slack's API, which refuses its first try with this code; returns what was sent. */
async function sent(form: Record<string, string>, error: string) {
  const bodies: URLSearchParams[] = [];
  const refusing = refusedAsText(
    async (_url, init) => {
      bodies.push(new URLSearchParams(String(init?.body)));
      return Response.json(bodies.length === 1 ? { ok: false, error } : { ok: true });
    },
    { warn: vi.fn() },
  );
  const answer = await refusing('https://slack.example/api/x', { body: new URLSearchParams(form).toString() });
  expect(await answer.text()).toContain(bodies.length === 1 ? error : '"ok":true');
  return bodies;
}

test('a view or message that is refused for its blocks is sent once more with those of newer kinds as text', async () => {
  const view = JSON.stringify({ type: 'modal', blocks: NEWER });
  const [, again] = await sent({ token: 't', view }, 'invalid_arguments');
  expect(again?.get('token')).toBe('t');
  expect(again?.get('view')).toContain('⛔ Wrong key');
  const [, post] = await sent({ channel: 'C1', blocks: JSON.stringify(NEWER) }, 'msg_blocks_too_long');
  expect(JSON.parse(post?.get('blocks') ?? '')).toMatchObject([{ type: 'section' }]);
});

test('a call that is refused for another reason, or has no such blocks, is sent once', async () => {
  expect(await sent({ blocks: JSON.stringify(NEWER) }, 'channel_not_found')).toHaveLength(1);
  expect(await sent({ blocks: JSON.stringify([section(mrkdwn`Words`)]) }, 'invalid_blocks')).toHaveLength(1);
  expect(await sent({ channel: 'C1' }, 'invalid_arguments')).toHaveLength(1);
});
