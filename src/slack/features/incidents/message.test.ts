import { describe, expect, test } from 'vitest';
import type { MessageContent } from '../../kit/blocks.ts';
import { anIncident, at, expectFit, NOON, wordsOf } from '../../slack.testing.ts';
import {
  acknowledgingMessage,
  assigningMessage,
  FORGOTTEN,
  mutingMessage,
  notingMessage,
  nowMessage,
  resolvingMessage,
  unacknowledgedMessage,
  unmutingMessage,
} from './message.ts';

const TARGET = { messageId: 'digest-1', incidentId: 17 };
const ann = { by: 'U0ANN', at: at(357) };
const assigned = { to: 'U0BEN', ...ann };
const now = at(360);

test.for<[MessageContent, string | RegExp]>([
  [acknowledgingMessage({ is: 'done', acknowledged: ann }, TARGET, now), '👀 Acknowledged #17. Mentions stop.'],
  [acknowledgingMessage({ is: 'already', acknowledged: ann }, TARGET, now), '👀 <@U0ANN> acknowledged this 3 s ago.'],
  [
    acknowledgingMessage({ is: 'already', acknowledged: ann }, TARGET, at(357.2)),
    '👀 <@U0ANN> acknowledged this just now.',
  ],
  [acknowledgingMessage({ is: 'resolved', by: null }, TARGET, now), '✅ #17 is already resolved: it recovered.'],
  [unacknowledgedMessage({ is: 'done', acknowledged: ann }, now), /^↩️ Unacknowledged for <@U0ANN>\. /],
  [unacknowledgedMessage({ is: 'already' }, now), "This isn't acknowledged."],
  [unacknowledgedMessage({ is: 'another', acknowledged: ann }, now), /3 s ago, so nothing was changed\. /],
  [assigningMessage({ is: 'done', assigned, before: null }, now), '🙋 Assigned to <@U0BEN>.'],
  [
    assigningMessage({ is: 'done', assigned, before: { ...assigned, to: 'U0CAT' } }, now),
    '🙋 Assigned to <@U0BEN>. <@U0CAT> had it until now.',
  ],
  [assigningMessage({ is: 'already', assigned }, now), '🙋 <@U0BEN> has this already: <@U0ANN> assigned it 3 s ago.'],
  [resolvingMessage({ is: 'done' }, TARGET), "✅ Resolved #17. If it fails again, that's a relapse."],
  [resolvingMessage({ is: 'resolved', by: 'U0BEN' }, TARGET), '✅ #17 is already resolved, by <@U0BEN>.'],
  [notingMessage({ is: 'done', note: { ...ann, text: 'key rotated' } }), /^📝 Note added: “key rotated”\. /],
  [
    mutingMessage({ by: 'U0ANN', from: NOON, until: at(7_200) }),
    /^🔕 Muted in this watch until 2026-03-04 14:00 UTC\. You'll get what you missed then\./,
  ],
  [mutingMessage(null), /^The watch that sent this message was removed/],
  [unmutingMessage(true), /^🔔 Unmuted\. /],
  [unmutingMessage(false), 'This is no longer muted.'],
  [FORGOTTEN, /is no longer kept/],
])('what an action did is said in a sentence: %#', ([message, words]) => {
  expectFit(message);
  expect(wordsOf(message)).toMatch(words);
});

describe('the incident below it', () => {
  test('has its environment, its people and its actions, but no mute where no watch told of it', () => {
    const message = nowMessage(anIncident({ acknowledged: ann }), null, resolvingMessage({ is: 'done' }, TARGET));
    expectFit(message);
    const [said, title] = wordsOf(message).split('\n');
    expect([said, title]).toEqual([
      expect.stringContaining('✅ Resolved #17.'),
      '🔴 Email via SendGrid fails: The provided authorization grant is invalid (401) · production · #1',
    ]);
    expect(wordsOf(message)).toContain('Unacknowledge');
    expect(wordsOf(message)).not.toContain('Mute…');
    expect(wordsOf(nowMessage(anIncident(), 'digest-1'))).toContain('Mute…');
  });
});
