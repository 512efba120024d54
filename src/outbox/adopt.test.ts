import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { textList } from '../store/db.ts';
import { at } from '../store/examples.testing.ts';
import { slackMessages } from './tables.ts';

describeNight('After the database lost its newest rows', (night, store) => {
  const kinds = () => night.channel.posted.map(({ kind }) => kind).toSorted();
  const unposted = () => store().db.$count(slackMessages, sql`state <> 'posted'`);

  /** Posts an alert, a line in its thread and a direct message. */
  async function postEachKind(): Promise<void> {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    await night.deliver();
    expect(kinds()).toEqual(['digest', 'line', 'personal']);
  }

  /** Messages wait again, by other IDs where they are written again, too. */
  async function loseOutcomes(kinds: readonly string[], { isNew }: { isNew: boolean }): Promise<void> {
    const { db } = store();
    night.channel.stands = night.channel.sent;
    await db.write(sql`DELETE FROM message_subjects WHERE message_id NOT IN (SELECT message_id FROM watch_alerts)`);
    await db.write(sql`
      UPDATE slack_messages
      SET
        id = CASE WHEN ${isNew} THEN id || ' again' ELSE id END,
        state = 'waiting',
        ts = NULL,
        posted_at = NULL,
        begun_at = NULL,
        next_at = NULL
      WHERE kind IN ${textList(kinds)}`);
  }

  test.for([true, false])(
    'a line and a direct message that stand in Slack are edited instead of posted: written again %o',
    async (isNew) => {
      await postEachKind();
      await loseOutcomes(['line', 'personal'], { isNew });
      night.minutes = 1;
      await night.deliver();
      expect([kinds(), await unposted()]).toEqual([['digest', 'line', 'personal'], 0]);
      const edited = night.channel.edited.map(({ content: { kind } }) => kind);
      expect(edited).toEqual(expect.arrayContaining(['line', 'personal']));
    },
  );

  test('what was lost is looked for from then on, though a message of now was found before', async () => {
    await postEachKind();
    await night.watch({}, 'C0OTHER');
    night.channel.answerPosts = () => ({ is: 'unknown' });
    night.minutes = 1;
    await night.poll(night.refused(1));
    await loseOutcomes(['personal'], { isNew: false });
    await store().db.write(sql`UPDATE slack_messages SET created_at = ${at(2)} WHERE kind = 'personal'`);
    night.minutes = 30;
    Object.assign(night.channel, { answerPosts: () => null, search: { found: 'yes', ts: '4.0' } });
    night.restart();
    await night.endLeases();
    await night.deliver();
    expect([kinds(), await unposted()]).toEqual([['digest', 'digest', 'line', 'personal'], 0]);
  });

  test('what tells something else is posted', async () => {
    await postEachKind();
    night.channel.stands = night.channel.sent;
    await store().db.write(sql`DELETE FROM slack_messages WHERE kind <> 'digest'`);
    await night.does(1, { what: 'assigned', to: 'U0EVE' });
    await night.deliver();
    expect(kinds()).toEqual(['digest', 'line', 'line', 'personal', 'personal', 'personal']);
  });

  test("each place is looked at again after the database didn't answer", async () => {
    await postEachKind();
    night.channel.answerPosts = () => {
      throw new StoreTroubleError('not-answering');
    };
    await night.does(1, { what: 'noted', text: 'on it' });
    await expect(night.deliver()).rejects.toThrow(StoreTroubleError);
    night.channel.answerPosts = () => null;
    await night.endLeases();
    await night.deliver();
    // What this process posted last isn't lost.
    await loseOutcomes(['personal'], { isNew: false });
    await night.deliver();
    expect(kinds()).toEqual(['digest', 'line', 'line', 'personal']);
  });
});
