import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { textList } from '../store/db.ts';
import { at } from '../store/examples.testing.ts';
import { slackMessages } from './tables.ts';

describeNight('After the database lost its newest rows', (night, store) => {
  const postedKinds = () => night.channel.posted.map(({ kind }) => kind).toSorted();
  const unposted = () => store().db.$count(slackMessages, sql`state <> 'posted'`);

  /** Posts an alert to #1, a line in its thread that it is Ben's, and a direct message to him. */
  async function postEachKind(): Promise<void> {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    await night.deliver();
    expect(postedKinds()).toEqual(['digest', 'line', 'personal']);
  }

  /** As in a backup that was made before messages of these kinds were posted: they stand in Slack, but wait, and what they said isn't noted. */
  async function loseOutcomes(kinds: readonly string[]): Promise<void> {
    const { db } = store();
    night.channel.stands = night.channel.sent;
    await db.write(sql`DELETE FROM message_subjects WHERE message_id NOT IN (SELECT message_id FROM watch_alerts)`);
    await db.write(sql`
      UPDATE slack_messages
      SET
        state = 'waiting',
        ts = NULL,
        posted_at = NULL,
        begun_at = NULL,
        next_at = NULL
      WHERE kind IN ${textList(kinds)}`);
  }

  /** As in a backup that was made before messages of these kinds were written: Notif writes them again, by other IDs. */
  async function loseMessages(kinds: readonly string[]): Promise<void> {
    await loseOutcomes(kinds);
    await store().db.write(sql`UPDATE slack_messages SET id = id || ' again' WHERE kind IN ${textList(kinds)}`);
  }

  test.for([
    { lost: 'outcomes', lose: loseOutcomes },
    { lost: 'messages', lose: loseMessages },
  ])('a line and a direct message that stand in Slack are edited instead of posted: lost $lost', async ({ lose }) => {
    await postEachKind();
    await lose(['line', 'personal']);
    night.minutes = 1;
    await night.deliver();
    expect([postedKinds(), await unposted()]).toEqual([['digest', 'line', 'personal'], 0]);
    const edited = night.channel.edited.map(({ content: { kind } }) => kind);
    expect(edited).toEqual(expect.arrayContaining(['line', 'personal']));
  });

  test('what was lost is looked for from then on, though a message is first found and counts as posted now', async () => {
    await postEachKind();
    // The answer to another watch's alert is lost.
    await night.watch({}, 'C0OTHER');
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    night.minutes = 1;
    await night.poll(night.refused(1));
    await loseOutcomes(['personal']);
    // The direct message has its turn after that alert.
    await store().db.write(sql`UPDATE slack_messages SET created_at = ${at(2)} WHERE kind = 'personal'`);
    // Half an hour later, another process finds the alert in Slack.
    night.minutes = 30;
    Object.assign(night.channel, { answerPosts: () => null, search: { found: 'yes', ts: '4.0' } });
    night.restart();
    await night.endLeases();
    await night.deliver();
    expect([postedKinds(), await unposted()]).toEqual([['digest', 'digest', 'line', 'personal'], 0]);
  });

  test('what tells something else is posted', async () => {
    await postEachKind();
    // All but the alert is lost, and now it is given to Eve instead of Ben.
    night.channel.stands = night.channel.sent;
    await store().db.write(sql`DELETE FROM slack_messages WHERE kind <> 'digest'`);
    await night.does(1, { what: 'assigned', to: 'U0EVE' });
    await night.deliver();
    expect(postedKinds()).toEqual(['digest', 'line', 'line', 'personal', 'personal', 'personal']);
    const news = night.channel.posted.flatMap((content) =>
      content.kind === 'personal' ? [`${content.channel} ${content.news.what}`] : [],
    );
    expect(news.toSorted()).toEqual(['U0BEN assigned', 'U0BEN taken', 'U0EVE assigned']);
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
    // The last that it posted, the line, isn't lost: only the database's trouble tells that others may be.
    await loseOutcomes(['personal']);
    await night.deliver();
    expect(postedKinds()).toEqual(['digest', 'line', 'line', 'personal']);
  });
});
