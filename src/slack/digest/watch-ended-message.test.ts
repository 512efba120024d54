import { describe, expect, test } from 'vitest';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { expectFit, NOON, wordsOf } from '../slack.testing.ts';
import { watchEndedMessage } from './watch-ended-message.ts';

const content = (createdBy: string | null) =>
  ({
    kind: 'watch-ended',
    id: 'm',
    channel: 'U0ANN',
    why: 'channel-archived',
    watch: { id: 'w', channel: 'C0ONCALL', number: 1, createdAt: NOON, createdBy, settings: UNFILTERED },
  }) as const;

describe("a message about a watch's end", () => {
  test("goes to the watch's creator with the way to restore it", () => {
    const message = watchEndedMessage(content('U0ANN'));
    expect(wordsOf(message).split('\n')).toEqual([
      '⚠️ Your watch in <#C0ONCALL> was removed: the channel is archived.',
      'It no longer sends alerts. Unarchive the channel, then create it again there: /notif watch.',
    ]);
    expectFit(message);
  });

  test('says that the configured watch continues to try', () => {
    expect(wordsOf(watchEndedMessage(content(null)))).toContain(
      'Unarchive the channel, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying',
    );
  });
});
