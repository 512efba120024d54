import { expect, test } from 'vitest';
import { Payload } from '../../../lib/text/payload.ts';
import type { TriggerNow } from '../../../sendings/note-state.ts';
import { NO_OPTIONS } from '../../../service/event.testing.ts';
import { asMessage } from '../../kit/message.ts';
import { PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { sentWords } from './trigger.ts';

test.each<[states: TriggerNow['state'][], words: RegExp]>([
  [['sent'], /^⏳ Sent 1 event of order-shipped in production\. Follow it in your DMs with Notif\.$/],
  [['refused'], /^🔴 The service refused 1 event of order-shipped in production: why 0\. Nothing was sent\.$/],
  [['refused', 'refused'], /refused 2 events of .*: why 0; why 1\. Nothing was sent\.$/],
  [['sending'], /^⚠️ 1 event of .* in production: 1 may or may not have gone through\. Follow it /],
  [['refused', 'sent', 'sending'], /^⚠️ 3 events of .*: 1 sent, 1 refused, 1 may or .*\. Follow it /],
])('what the service answered to a test is said as it is, and never more than is known: %j', (states, words) => {
  const answers = states.map((state, index) => ({ id: `notif-${index}`, state, why: `why ${index}` }));
  const events = states.map((_, index) => ({ subscriberId: `user-${index}`, payload: new Payload({}), profile: null }));
  const plan = { environment: 'production', workflow: 'order-shipped', events, options: NO_OPTIONS };
  expect(wordsOf(asMessage(sentWords(answers, plan, PRODUCTION)))).toMatch(words);
});
