import { expect, test } from 'vitest';
import { aWatch } from '../../../watches/watch.testing.ts';
import { expectFit, wordsOf } from '../../slack.testing.ts';
import { watchEndedMessage } from './watch-ended-message.ts';

test.for([
  [
    'U0ANN',
    '⚠️ Your watch in <#C0ONCALL> was removed: the channel is archived.\nIt no longer sends alerts. Unarchive the channel, then create it again there: /notif watch.',
  ],
  [
    null,
    "⚠️ Alerts for <#C0ONCALL> can't be posted: the channel is archived.\nUnarchive the channel, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying, and nothing is lost meanwhile.",
  ],
] as const)('The end of a watch made by %s comes with what to do', ([createdBy, words]) => {
  const watch = aWatch({ createdBy });
  const message = watchEndedMessage({ kind: 'watch-ended', id: 'm', channel: 'U0ANN', why: 'channel-archived', watch });
  expectFit(message);
  expect(wordsOf(message)).toBe(words);
});
