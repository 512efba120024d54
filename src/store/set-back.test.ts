import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { watchAlerts } from '../alerts/tables.ts';
import { incidents } from '../incidents/tables.ts';
import { slackMessages } from '../outbox/tables.ts';
import { mutesEndingAfter } from '../watches/mutes.ts';
import { muteUntil, watchCtx } from '../watches/watches.testing.ts';
import { at } from './examples.testing.ts';
import { isSetBack, moveBack } from './set-back.ts';

describeNight('Once our clock was set back by an hour', (night, store) => {
  const setBackTo = async (minutes: number) => {
    night.minutes = minutes;
    await moveBack(store().db, night.now());
  };

  test('what fails after an incident was resolved meanwhile is a relapse', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 70;
    await night.does(1, { what: 'resolved' });
    await setBackTo(10);
    night.minutes = 11;
    await night.poll(night.refused(1));
    expect(night.alerts()).toEqual([['new #1 1'], ['back #1 1']]);
  });

  test('a mute keeps its length, and what was told stays told', async () => {
    const { id } = await night.watch();
    night.minutes = 60;
    await night.poll(night.refused(0));
    await night.does(1, { what: 'resolved' });
    night.minutes = 61;
    await night.poll(night.refused(1));
    await muteUntil(watchCtx(store().db, at(62)), id, null, { actor: 'U0ANN', until: at(122) });
    await setBackTo(2);
    expect(await mutesEndingAfter(store().db, id, at(2))).toMatchObject([{ beginsAt: at(2), until: at(62) }]);
    expect(await store().db.select().from(watchAlerts)).toMatchObject([{ outbreak: 2, postedAt: at(2) }]);
    expect(await store().db.select().from(incidents)).toMatchObject([{ stateAt: at(2), lastRecordedAt: at(2) }]);
  });

  test('a post that waits for another try is tried at once, and dated by the clock as it is now', async () => {
    await night.watch();
    night.minutes = 60;
    night.channel.answerPosts = () => ({ is: 'refused', reason: 'ratelimited', retryAfterMs: 60_000, fix: null });
    await night.poll(night.refused(0));
    night.channel.answerPosts = () => null;
    await setBackTo(0);
    await night.deliver();
    expect(night.alerts()).toEqual([['new #1 1']]);
    expect(await store().db.select().from(slackMessages)).toMatchObject([{ createdAt: at(0), postedAt: at(0) }]);
  });
});

test.for([
  [null, false],
  [at(1), false],
  [at(1.1), true],
] as const)('what was noted at %s shows whether our clock was set back: %s', ([noted, is]) => {
  expect(isSetBack(at(0), noted)).toBe(is);
});
