import { expect, test } from 'vitest';
import { APP_TOKEN, BOT_TOKEN } from '../web-api/access.ts';
import { redact } from './redact.ts';

test('redact masks tokens and secret URLs anywhere in a value', () => {
  const text = `Bearer ${BOT_TOKEN}, ${APP_TOKEN}`;
  const redacted = redact({
    token: 'verification',
    blocks: [{ text: { text } }],
    url: 'ws://127.0.0.1:1/link/?ticket=1f-2e',
    upload_url: 'http://127.0.0.1:1/upload/v1/1f-2e',
    response_urls: [{ response_url: 'http://127.0.0.1:1/response/1f-2e' }],
  });
  expect(redacted).toEqual({
    token: '•••',
    blocks: [{ text: { text: 'Bearer •••, •••' } }],
    url: 'ws://127.0.0.1:1/link/?ticket=•••',
    upload_url: 'http://127.0.0.1:1/upload/v1/•••',
    response_urls: [{ response_url: 'http://127.0.0.1:1/response/•••' }],
  });
});

test('redact keeps everything else', () => {
  const payload = { channel: 'C0ONCALL', ts: '1.000001', text: 'a response/ to ticket 7', count: 1, none: null };
  expect(redact(payload)).toEqual(payload);
});
