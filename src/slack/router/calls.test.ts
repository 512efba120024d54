import { expect, test } from 'vitest';
import { observedFetch } from './calls.ts';

const API = 'https://slack.example/api';

async function toldOf(answer: () => Promise<Response>, url = `${API}/chat.postMessage`): Promise<string[]> {
  const told: string[] = [];
  const observe = (method: string) => (outcome: string) => void told.push(`${method} ${outcome}`);
  await observedFetch(answer, observe)(url, {}).catch(() => {});
  return told;
}

const answers = (status: number, body: string) => async () => new Response(body, { status });

test.each([
  ['ok', answers(200, '{"ok":true,"ts":"1.2"}')],
  ['ok', answers(200, JSON.stringify({ ok: true, text: 'somebody quotes {"ok":false,"error":"is_archived"}' }))],
  ['is_archived', answers(200, '{"ok":false,"error":"is_archived"}')],
  ['rate_limited', answers(429, '{"ok":false,"error":"ratelimited"}')],
  ['http_503', answers(503, '<html>')],
  ['not_json', answers(200, '<html>')],
  ['timed_out', () => Promise.reject(new DOMException('too long', 'TimeoutError'))],
  ['unreachable', () => Promise.reject(new TypeError('fetch failed'))],
])("the observer gets %s from Slack's response", async (outcome, answer) => {
  expect(await toldOf(answer)).toEqual([`chat.postMessage ${outcome}`]);
});

test('the observer gets uploads under one name, whatever their addresses', async () => {
  expect(await toldOf(answers(200, 'OK - 12'), 'https://files.example/upload/v1/CwABAAAAXAoA')).toEqual(['upload ok']);
});

test('observedFetch passes the response on unchanged', async () => {
  const answer = new Response('{"ok":true}', { status: 200, headers: { 'x-oauth-scopes': 'chat:write' } });
  const handedOn = await observedFetch(
    async () => answer,
    () => () => {},
  )(`${API}/auth.test`, {});
  expect([handedOn.status, handedOn.headers.get('x-oauth-scopes'), await handedOn.text()]).toEqual([
    200,
    'chat:write',
    '{"ok":true}',
  ]);
});

test('observedFetch treats a response that breaks off like an unanswered request', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) });
  expect(await toldOf(async () => new Response(body, { status: 200 }))).toEqual(['chat.postMessage unreachable']);
});
