import { describe, expect, test } from 'vitest';
import { heard } from '../../lib/logger.testing.ts';
import { folded, section } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import { boltLogger } from './calls.ts';
import { inAcceptedForm, observedFetch } from './wrapped-fetch.ts';

const API = 'https://slack.example/api';

async function seenIn(answer: () => Promise<Response>, url = `${API}/chat.postMessage`): Promise<string[]> {
  const outcomes: string[] = [];
  const observe = (method: string) => (outcome: string) => void outcomes.push(`${method} ${outcome}`);
  await observedFetch(answer, observe)(url, {}).catch(() => {});
  return outcomes;
}

const answers = (status: number, body: string) => async () => new Response(body, { status });

test.each([
  ['ok', answers(200, '{"ok":true,"ts":"1.2"}')],
  ['ok', answers(200, JSON.stringify({ ok: true, text: 'somebody quotes {"ok":false,"error":"is_archived"}' }))],
  ['is_archived', answers(200, '{"ok":false,"error":"is_archived"}')],
  ['http_503', answers(503, '<html>')],
  ['not_json', answers(200, '<html>')],
  ['timed_out', () => Promise.reject(new DOMException('too long', 'TimeoutError'))],
])("the observer gets %s from Slack's response", async (outcome, answer) => {
  expect(await seenIn(answer)).toEqual([`chat.postMessage ${outcome}`]);
});

test('the observer gets uploads under one name, whatever their addresses', async () => {
  expect(await seenIn(answers(200, 'OK - 12'), 'https://files.example/upload/v1/CwABAAAAXAoA')).toEqual(['upload ok']);
});

test('observedFetch treats a response that breaks off like an unanswered request', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) });
  expect(await seenIn(async () => new Response(body, { status: 200 }))).toEqual(['chat.postMessage unreachable']);
});

const NEWER = [folded('Details', [section(mrkdwn`Wrong key`)])];

/** Makes a call of Slack's API, which refuses its first tries with this code; returns the blocks that were sent. */
async function sentWhenRefused(form: Record<string, string>, error: string, times = 1) {
  const bodies: URLSearchParams[] = [];
  const { logger, log } = heard();
  const send = async (_url: unknown, init?: RequestInit) => {
    bodies.push(new URLSearchParams(String(init?.body)));
    return Response.json(bodies.length <= times ? { ok: false, error } : { ok: true });
  };
  const refusing = inAcceptedForm(send, new Set(), logger);
  const answer = await refusing('https://slack.example/api/x', { body: new URLSearchParams(form).toString() });
  expect(await answer.text()).toContain(bodies.length <= times ? error : '"ok":true');
  const { blocks: _, ...rest } = form;
  for (const body of bodies) expect(Object.fromEntries(body)).toMatchObject(rest);
  return { sent: bodies.map((body) => JSON.parse(body.get('blocks') ?? '[]')), levels: log.map(({ level }) => level) };
}

const WORDS = [{ type: 'section', text: { type: 'mrkdwn', text: 'Words', verbatim: true } }];
const OLDER = JSON.stringify([section(mrkdwn`Words`), section(mrkdwn`More`)]);
const MESSAGE = { channel: 'C1', metadata: '{}', text: 'Words' };

test('a message that is refused for its blocks is sent once more with those of newer kinds as text', async () => {
  const { sent, levels } = await sentWhenRefused({ ...MESSAGE, blocks: JSON.stringify(NEWER) }, 'msg_blocks_too_long');
  expect(sent.slice(1)).toMatchObject([[{ type: 'section' }, { type: 'section' }]]);
  expect(levels).toEqual(['warn']);
});

test('a message without such blocks, or refused once more, is sent as its words alone, which are the last try', async () => {
  const { sent, levels } = await sentWhenRefused({ ...MESSAGE, blocks: OLDER }, 'msg_too_long');
  expect(sent.slice(1)).toEqual([WORDS]);
  expect(levels).toEqual(['error']);
  const refused = await sentWhenRefused({ ...MESSAGE, blocks: JSON.stringify(NEWER) }, 'invalid_blocks', 9);
  expect(refused.sent.slice(2)).toEqual([WORDS]);
});

test('a call that is refused for another reason, or has no blocks, is sent once', async () => {
  expect((await sentWhenRefused({ ...MESSAGE, blocks: OLDER }, 'channel_not_found')).sent).toHaveLength(1);
  expect((await sentWhenRefused({ channel: 'C1' }, 'invalid_arguments')).sent).toHaveLength(1);
});

describe('boltLogger', () => {
  test('drops the debug level, which contains whole payloads', () => {
    const { logger, log } = heard();
    boltLogger(logger).debug('Received a message on the WebSocket: {"text":"what somebody typed"}');
    expect(log).toEqual([]);
  });

  test('keeps the first line of a warning, scrubbed, under a constant message', () => {
    const { logger, log } = heard();
    boltLogger(logger).warn('http request failed', 'refused xoxb-1234567890-abcdefghijkl\nsecond line');
    expect(log).toMatchObject([{ level: 'warn', sentence: 'The Slack library warns' }]);
    expect(JSON.stringify(log)).toContain('http request failed refused');
    expect(JSON.stringify(log)).not.toMatch(/1234567890|second line/);
  });
});
