import { expect, test } from 'vitest';
import { AWAY, describeNight } from '../alerts/night.testing.ts';
import type { LogLine } from '../lib/logger.testing.ts';
import { at, failureOf } from '../store/examples.testing.ts';
import { editRefusals } from './backlog.ts';
import type { EditOutcome } from './kinds.ts';
import { slackMessages } from './tables.ts';

describeNight('An edit', (night) => {
  const more = (minute: number) => failureOf('a', { eventKey: `event-${minute}`, occurredAt: at(minute) });

  test('shows what went through since, every five minutes while an incident recovers', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    for (night.minutes = 7; night.minutes < 20; night.minutes += 6) {
      await night.succeed(1);
      await night.poll();
    }
    expect(night.channel.edited).toHaveLength(3);
  });

  test('that Slack does not accept is tried ever later, as plain text after three times, for as long as it takes', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    const plain: boolean[] = [];
    night.channel.answerEdits = ({ isPlain }) => {
      plain.push(isPlain);
      return { is: 'not-accepted', reason: 'edit_window_closed' };
    };
    night.minutes = 2;
    await night.poll(more(2));
    for (let second = 0; second < 400; second += 10) {
      night.minutes += 1 / 6;
      await night.deliver();
    }
    expect(plain).toEqual([false, false, false, ...Array(5).fill(true)]);
    night.channel.answerEdits = () => null;
    await night.wait(10);
    expect(night.channel.edited).toMatchObject([{ content: { rows: [{ incident: { failures: 2 } }] } }]);
  });

  test('that Slack refused for long is due at once when it takes something again', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    const plain = new Set<boolean>();
    night.channel.answerEdits = ({ isPlain }) => {
      plain.add(isPlain);
      return AWAY;
    };
    night.minutes = 2;
    await night.poll(more(2));
    for (let minute = 0; minute < 20; minute += 1) {
      night.minutes += 1;
      await night.deliver();
    }
    expect(await night.dueIn()).toBeGreaterThan(60);
    // What Slack refuses for now keeps its buttons.
    expect([...plain]).toEqual([false]);
    night.channel.answerEdits = () => null;
    night.minutes += 0.1;
    await night.poll(failureOf('b', { channel: 'sms', provider: 'twilio', occurredAt: night.now() }));
    expect(night.channel.edited).toMatchObject([{ ts: '1.0' }]);
  });

  test('that Slack refuses for now is tried again, ever later, and its channel is named meanwhile', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => ({ ...AWAY, reason: 'is_archived' });
    night.minutes = 2;
    await night.poll(more(2));
    for (let second = 0; second < 58; second += 2) {
      night.minutes += 1 / 30;
      await night.deliver();
    }
    expect(night.channel.answers.filter((answer) => answer === 'edit refused')).toHaveLength(5);
    expect(await editRefusals(night.store.db)).toEqual([{ channel: 'C0ALERTS', reason: 'is_archived' }]);
    night.channel.answerEdits = () => null;
    await night.wait(1);
    expect(night.channel.edited).toHaveLength(1);
    expect(await editRefusals(night.store.db)).toEqual([]);
  });

  test.for<[EditOutcome, LogLine['level'] | null]>([
    [{ is: 'edited', shownHash: '' }, null],
    [{ is: 'unchanged', shownHash: '' }, null],
    [AWAY, 'warn'],
    [{ ...AWAY, fix: 'Invite Notif' }, 'error'],
    [{ is: 'deleted', reason: 'message_not_found' }, 'warn'],
  ])("goes by Slack's answer, and logs what is no success: %o", async ([answer, level]) => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => answer;
    night.minutes = 2;
    await night.poll(more(2));
    const { is: outcome, ...said } = answer;
    expect(night.channel.answers).toEqual(['post posted', `edit ${outcome}`]);
    const fields = expect.objectContaining({ outcome, ...said });
    const line = { level, sentence: "Slack's answer to an edit", fields };
    expect(night.log.slice(1)).toEqual(level === null ? [] : [line]);
  });

  test('waits, whatever its channel is, while Slack wants a pause for edits', async () => {
    await night.watch();
    await night.watch({}, 'C0OTHER');
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => ({ ...AWAY, retryAfterMs: 90_000 });
    night.minutes = 2;
    await night.poll(more(2));
    night.minutes = 3.4;
    await night.deliver();
    expect(night.channel.answers.slice(2)).toEqual(['edit refused']);
    night.channel.answerEdits = () => null;
    night.minutes = 3.5;
    await night.deliver();
    expect(night.channel.edited).toHaveLength(2);
  });

  test.for([
    ['repeat:abc', 'repeat:'],
    ['abc', ''],
  ] as const)('that fails unexpectedly is tried again, and of its hash %s only the mark is certain', async (hashes) => {
    await night.watch();
    night.channel.answerPosts = () => ({ is: 'posted', ts: '1.0', shownHash: hashes[0] });
    await night.poll(failureOf('a'));
    const shown: (string | null)[] = [];
    night.channel.answerEdits = ({ shownHash }) => {
      shown.push(shownHash);
      if (shown.length === 1) throw new TypeError('a mistake');
      return null;
    };
    night.minutes = 2;
    await expect(night.poll(more(2))).rejects.toThrow('1 messages failed unexpectedly');
    const fields = expect.objectContaining({ kind: 'digest', attempt: 1, err: expect.any(TypeError) });
    expect(night.log.at(-1)).toEqual({ level: 'error', sentence: expect.stringMatching(/^Edit failed/), fields });
    expect(await night.store.db.select().from(slackMessages)).toMatchObject([{ lastRefusal: 'failed unexpectedly' }]);
    expect(await night.dueIn()).toBe(2);
    await night.wait(1 / 30);
    expect(shown).toEqual(hashes);
  });
});
