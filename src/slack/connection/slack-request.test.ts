import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PostedRequest, parseSlackRequest } from './slack-request.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const NOW = Date.parse('2026-11-20T12:00:00Z');
const FORM = 'application/x-www-form-urlencoded';

function signed(body: string, contentType = 'application/json', at = NOW, secret = SECRET): PostedRequest {
  const timestamp = String(Math.floor(at / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return {
    body,
    headers: {
      'content-type': contentType,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    },
  };
}

function read(request: PostedRequest) {
  return parseSlackRequest(request, SECRET, NOW);
}

describe('readSlackRequest', () => {
  test('reads an event and its repeat number', () => {
    const request = signed('{"event":{"type":"app_mention"},"event_id":"Ev1"}');
    const retried = { ...request.headers, 'x-slack-retry-num': '2', 'x-slack-retry-reason': 'http_timeout' };
    expect(read({ ...request, headers: retried })).toMatchObject({
      is: 'delivery',
      delivery: { type: 'events_api', body: { event_id: 'Ev1' }, retryNum: 2, retryReason: 'http_timeout' },
    });
    expect(read(request)).toMatchObject({ delivery: { retryNum: undefined, retryReason: undefined } });
  });

  test('reads a command from a form, and an interaction from its payload', () => {
    const command = read(signed('command=%2Fnotif&text=a%26b+c', FORM));
    expect(command).toMatchObject({ delivery: { type: 'slash_commands', body: { command: '/notif', text: 'a&b c' } } });
    const click = read(signed(`payload=${encodeURIComponent('{"type":"block_actions"}')}`, `${FORM}; charset=utf-8`));
    expect(click).toMatchObject({ delivery: { type: 'interactive', body: { type: 'block_actions' } } });
  });

  test('returns the challenge', () => {
    expect(read(signed('{"type":"url_verification","challenge":"3eZb"}'))).toEqual({
      is: 'challenge',
      challenge: '3eZb',
    });
  });

  test('handles an unsigned certificate check as nothing else', () => {
    const request = { body: 'ssl_check=1&command=%2Fnotif&text=trigger', headers: { 'content-type': FORM } };
    expect(read(request)).toEqual({ is: 'certificate-check' });
  });

  test.each([
    ['no signature', { ...signed('{}'), headers: {} }, 'no-signature'],
    ['a signature by another secret', signed('{}', 'application/json', NOW, 'guessed'), 'wrong-signature'],
    ['another body', { ...signed('{}'), body: '{"event":{}}' }, 'wrong-signature'],
    ['an unknown version of signatures', versioned('v1'), 'wrong-signature'],
    ['a signature without a hash', versioned('v0', ''), 'wrong-signature'],
    ['a time six minutes ago', signed('{}', 'application/json', NOW - 6 * 60_000), 'wrong-time'],
    ['a time in six minutes', signed('{}', 'application/json', NOW + 6 * 60_000), 'wrong-time'],
    ['a time that is none', timed('soon'), 'wrong-time'],
    ['an empty body with no signature', { body: '', headers: {} }, 'no-signature'],
  ] as const)('refuses %s', (_what, request, reason) => {
    expect(read(request)).toEqual({ is: 'refused', status: 401, reason });
  });

  test.each(['', 'not json', '[]', '"text"', 'null'])('reports the signed body %j as unreadable', (body) => {
    expect(read(signed(body))).toEqual({ is: 'refused', status: 400, reason: 'unreadable' });
  });

  test("refuses every request whose signature wasn't made with the secret", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (body, signature) => {
        const request = signed(body);
        const forged = { ...request, headers: { ...request.headers, 'x-slack-signature': signature } };
        expect(read(forged)).toMatchObject({ is: 'refused', status: 401 });
      }),
    );
  });
});

function versioned(version: string, hash?: string): PostedRequest {
  const request = signed('{}');
  const [, right = ''] = String(request.headers['x-slack-signature']).split('=');
  return { ...request, headers: { ...request.headers, 'x-slack-signature': `${version}=${hash ?? right}` } };
}

function timed(timestamp: string): PostedRequest {
  const request = signed('{}');
  return { ...request, headers: { ...request.headers, 'x-slack-request-timestamp': timestamp } };
}
