import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { describeNight, drawn } from '../../src/alerts/night.testing.ts';
import { at } from '../../src/store/examples.testing.ts';
import type { Watch } from '../../src/watches/settings.ts';
import { muteUntil, watchCtx } from '../../src/watches/watches.testing.ts';

/** Sequences over hours to days, as a watch alerts to them. src/digests and src/polling test their rules, and worlds draw the rest. */
describeNight('What happened is alerted', (night, store) => {
  let watch: Watch;

  beforeEach(async () => {
    watch = await night.watch();
  });

  const states = () =>
    store().db.rows(z.unknown(), 'SELECT id::integer AS id, state, outbreak FROM incidents ORDER BY id');

  test('a failure that shows a day after its incident was over edits its row and alerts to nothing', async () => {
    await night.poll(night.refused(1), night.refused(2));
    await night.recover();
    night.minutes = 2_000;
    await night.poll(night.refused(3, { occurredAt: at(1), eventCreatedAt: at(0) }));
    expect(night.alerts()).toEqual([['new #1 2']]);
    expect(await states()).toEqual([{ id: 1, state: 'resolved', outbreak: 1 }]);
    expect((await drawn(night, 0)).rows[0]?.incident.failures).toBe(3);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ rows: [{ incident: { failures: 3 } }] });
  });

  test('a failure that turns out retried, then fine before a mute is over is not alerted', async () => {
    await muteUntil(watchCtx(store().db, night.now()), watch.id, null, { actor: 'U0ANN', until: at(10) });
    await night.poll(night.refused(1));
    night.minutes = 3;
    await night.poll(night.refused(1, { verdict: 'retried-then-fine', occurredAt: at(0), eventCreatedAt: at(0) }));
    await night.wait(8);
    expect(night.alerts()).toEqual([]);
  });

  test("a recipient's cause that fails every day is no immortal incident", async () => {
    for (let day = 0; day < 2; day += 1) {
      night.minutes = day * 1440;
      await night.poll(night.gone(day));
      await night.wait(6);
      await night.wait(11);
    }
    expect(night.alerts()).toEqual([['single #1'], ['single #2']]);
    const resolved = { state: 'resolved', outbreak: 1 };
    expect(await states()).toEqual([1, 2].map((id) => ({ id, ...resolved })));
  });
});
