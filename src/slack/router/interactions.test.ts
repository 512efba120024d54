import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { silent } from '../../lib/logger.testing.ts';
import type { Outgoing } from '../kit/reply.ts';
import { messageInteraction } from './interactions.ts';

const AS_IT_IS: Outgoing = {
  postingClient: new WebClient(),
  workspace: { namesOf: async () => new Map() },
  accessControl: { canUse: async () => true },
  newerKinds: { refused: new Set() },
  storeCode: '1f2e3d4c',
  logger: silent,
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
