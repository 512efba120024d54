import { expect, test } from 'vitest';
import { describeNight } from '../digests/night.testing.ts';
import { at, failureOf, NOON } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { madeWatch, watchCtx } from '../watches/watches.testing.ts';
import { endWatch } from '../watches/watches.ts';
import {
  backlogOf,
  blockedChannels,
  COUNT_EDITS_A_MINUTE,
  claimPost,
  hurry,
  noteNotPosted,
  noteUnresolved,
} from './claims.ts';
import { messages } from './tables.ts';

describeStore('The outbox', (store) => {
  async function aMessage(id: string, columns: { state: string; refusal?: string; kind?: string }, minute = 0) {
    const { state, refusal = null, kind = 'digest' } = columns;
    const made = { channel: `C${id}`, createdBy: 'U1', settings: USUAL_SETTINGS };
    const { id: watch } = await madeWatch(store().db, made, NOON);
    await store().db.write(
      `INSERT INTO messages (id, watch_id, environment, kind, created_at, state, last_refusal)
       VALUES ($1, $2, 'production', $3, $4, $5, $6)`,
      [id, watch, kind, at(minute), state, refusal],
    );
    return watch;
  }

  test('distinguishes messages blocked by their channel from those held up', async () => {
    await aMessage('archived', { state: 'waiting', refusal: 'channel-archived' }, 1);
    await aMessage('refused', { state: 'waiting', refusal: 'token_revoked' }, 2);
    await aMessage('begun', { state: 'posting' }, 3);
    expect(await backlogOf(store().db, at(60))).toEqual({ waiting: 3, oldest: at(1), oldestUnblocked: at(2) });
  });

  test('says of no single message for longer than ten minutes that messages are pending', async () => {
    await aMessage('odd', { state: 'waiting', refusal: 'a_new_word' }, 1);
    await aMessage('late', { state: 'waiting' }, 9);
    await aMessage('other', { state: 'posted' }, 2);
    const posted = (minute: number) =>
      store().db.write("UPDATE messages SET posted_at = $1 WHERE id = 'other'", [at(minute)]);
    await posted(10);
    expect(await backlogOf(store().db, at(60))).toMatchObject({ oldest: at(1) });
    await posted(11);
    expect(await backlogOf(store().db, at(60))).toEqual({ waiting: 2, oldest: at(9), oldestUnblocked: at(1) });
  });

  test('counts blocked messages by channel and reason, and how long the oldest has been pending', async () => {
    const restricted = { state: 'waiting', refusal: 'channel-restricted' };
    await aMessage('full', restricted, 1);
    await aMessage('left', { state: 'waiting', refusal: 'channel-left' }, 3);
    await aMessage('refused', { state: 'waiting', refusal: 'token_revoked' }, 4);
    await aMessage('posted', { state: 'posted', refusal: 'channel-left' }, 5);
    expect(await blockedChannels(store().db)).toEqual([
      { channel: 'Cfull', reason: 'channel-restricted', messages: 1, oldest: at(1) },
      { channel: 'Cleft', reason: 'channel-left', messages: 1, oldest: at(3) },
    ]);
  });

  test('counts, of a removed watch, only the notice of its removal', async () => {
    for (const [minute, kind] of ['digest', 'watch-ended'].entries()) {
      const watchId = await aMessage(kind, { state: 'waiting', kind }, minute);
      await endWatch(watchCtx(store().db, at(5)), watchId, 'U1');
    }
    expect(await backlogOf(store().db, at(60))).toMatchObject({ waiting: 1, oldest: at(1) });
  });

  test('posts or looks for at once what waits for its next try when Slack is back, but not what it limits or may be posting', async () => {
    const { db } = store();
    const due = async (now: Date) => (await claimPost(db, [], now))?.id ?? null;
    await aMessage('down', { state: 'waiting', refusal: "Slack can't be reached" });
    await aMessage('limited', { state: 'waiting', refusal: 'ratelimited' });
    await db.write('UPDATE messages SET next_at = $1', [at(30)]);
    await aMessage('lost', { state: 'waiting' });
    const lost = await claimPost(db, [], at(1));
    if (lost !== null) await noteUnresolved(db, lost, 300_000);
    await aMessage('begun', { state: 'waiting' });
    expect([await due(at(9)), await due(at(10))]).toEqual(['begun', null]);
    await hurry(db, at(10));
    const hurried = [await due(at(10)), await due(at(10)), await due(at(10))];
    expect(hurried.map(String).sort()).toEqual(['down', 'lost', 'null']);
  });

  test('lets a claim whose time is over settle nothing once another has taken the message', async () => {
    await aMessage('slow', { state: 'waiting' });
    const first = await claimPost(store().db, [], NOON);
    await store().db.write("UPDATE messages SET leased_until = 'epoch' WHERE id = 'slow'", []);
    const second = await claimPost(store().db, [], at(90));
    expect(second).toMatchObject({ attempt: 2, unresolvedSince: NOON });
    if (first !== null) await noteNotPosted(store().db, first, 'refused', at(120));
    const [row] = await store().db.select().from(messages);
    expect(row).toMatchObject({ state: 'posting', lastRefusal: null });
  });
});

describeNight('The pace of edits', (night) => {
  test('draws new counts in at most twenty messages a minute, apart from those that show them already, and in one replica', async () => {
    for (let place = 0; place < COUNT_EDITS_A_MINUTE + 2; place += 1) await night.watch({}, `C${place}`);
    await night.poll(failureOf('a'));
    const drawn = () => night.channel.answers.filter((answer) => answer.startsWith('edit')).length;
    night.channel.answerEdits = () => ({ is: drawn() === 0 ? 'unchanged' : 'edited', shownHash: '' });
    night.minutes = 2;
    await night.poll(failureOf('a', { eventKey: 'event-2', occurredAt: at(2) }));
    night.minutes = 2.99;
    await night.deliver();
    expect(drawn()).toBe(COUNT_EDITS_A_MINUTE + 1);
    night.minutes = 3;
    night.isOurs = false;
    await night.deliver();
    expect(drawn()).toBe(COUNT_EDITS_A_MINUTE + 1);
    night.isOurs = true;
    await night.deliver();
    expect(drawn()).toBe(COUNT_EDITS_A_MINUTE + 2);
  });
});
