import { setImmediate } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import type { Logger } from '../../lib/logger.ts';
import { message } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import { resultView } from '../kit/view.ts';
import { messageInteraction, SubmissionBody, submissionInteraction } from './interaction.ts';
import type { Outgoing } from './reply.ts';

const quiet: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const AS_IT_IS: Outgoing = {
  deliveryClient: new WebClient(),
  logger: quiet,
  sleep: async () => {},
};
const BOT = 'U0NOTIF00';
const written = { user: 'U0ANN0000', channel: 'C0ONCALL1', ts: '1760000000.000100' };

test.each([
  '<@U0NOTIF00>: failures',
  '<@U0NOTIF00|notif> , failures',
  'failures <@U0NOTIF00>',
  '<@U0NOTIF00> failures',
])('the text of a mention is without it and the punctuation after it: %s', (text) => {
  expect(messageInteraction({ ...written, text }, 'app_mention', BOT, AS_IT_IS)?.text).toBe('failures');
});

test('the emoji after a mention is kept', () => {
  const sent = { ...written, text: '<@U0NOTIF00> :wave: failures' };
  expect(messageInteraction(sent, 'app_mention', BOT, AS_IT_IS)?.text).toBe(':wave: failures');
});

test('a form that stays open is updated, by itself or by the reply, only after its acknowledgment', async () => {
  const calls: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    calls.push(new URL(String(url)).pathname);
    return Response.json({ ok: true, view: { hash: 'h1' } });
  };
  const client = new WebClient('xoxb-0', { fetch, retryConfig: { retries: 0 } });
  const sent = {
    user: { id: 'U0ANN0000' },
    trigger_id: '1.1',
    view: { id: 'V1', callback_id: 'form', private_metadata: '', hash: 'h0', state: { values: {} }, blocks: [] },
  };
  let acknowledge = () => {};
  const settled = new Promise<void>((resolve) => {
    acknowledge = resolve;
  });
  const { modal, reply } = submissionInteraction(
    SubmissionBody.parse(sent),
    { staysOpen: true, settled, answerUrl: null },
    { ...AS_IT_IS, deliveryClient: client },
  );
  const done = message(mrkdwn`done`, []);
  const updates = [modal.update(resultView(done)), reply.show(done), reply.replace(done)];
  await setImmediate();
  expect(calls).toEqual([]);
  acknowledge();
  await Promise.all(updates);
  expect(calls).toEqual(['/api/views.update', '/api/views.update', '/api/views.update']);
});
