import { beforeEach, expect, test } from 'vitest';
import { alertsIn, describeNight } from '../alerts/night.testing.ts';
import { at, failureOf } from '../store/examples.testing.ts';
import { listedMutes } from './listed-mutes.ts';
import { incidentMute, isHeld, mutesEndingAfter, mutesSet } from './mutes.ts';
import { type MuteTarget, setMute } from './set-mutes.ts';
import type { Watch } from './settings.ts';
import { madeWatch, muteUntil, watchCtx } from './watches.testing.ts';
import { endWatch } from './watches.ts';

describeNight('A mute', (night, store) => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await night.watch();
  });
  const ctx = () => watchCtx(store().db, night.now());
  const muteIt = (until: number, actor = 'U0ANN', incidentId: number | null = null) =>
    muteUntil(ctx(), watch.id, incidentId, { actor, until: at(until) });
  const unmuteIt = () => muteUntil(ctx(), watch.id, null, { actor: 'U0BEN', until: null });

  test('that runs is extended under the name of who extends it', async () => {
    await muteIt(60);
    night.minutes = 30;
    await muteIt(90, 'U0BEN');
    const extended = { incidentId: null, mutedBy: 'U0BEN', beginsAt: at(0), until: at(90) };
    expect(await mutesEndingAfter(store().db, watch.id, night.now())).toMatchObject([extended]);
  });

  test('that the same person repeats until the same time changes and says nothing', async () => {
    await night.poll(failureOf('a'));
    for (const _ of ['once', 'again']) await muteIt(60, 'U0ANN', 1);
    await night.poll();
    expect(night.lines()).toEqual(['incident-muted']);
  });

  test('of an incident holds back neither others nor their watch, and one of the whole watch does', async () => {
    await night.poll(failureOf('a'), failureOf('b'));
    await muteIt(60, 'U0ANN', 1);
    const muted = () => mutesEndingAfter(store().db, watch.id, night.now());
    const incident = { outbreak: 1, isOver: false, postedAt: null };
    const isMuted = async (id: number) => incidentMute(await muted(), { id, ...incident }, night.now()) !== null;
    expect([await isMuted(1), await isMuted(2), isHeld(watch, await muted(), night.now())]).toEqual([
      true,
      false,
      false,
    ]);
    await muteIt(60);
    expect(isHeld(watch, await muted(), night.now())).toBe(true);
  });

  test('of an incident lets its watch post of others, and other watches post of it', async () => {
    const wanted = { channel: 'C0OTHER', createdBy: 'U0BEN', settings: watch.settings };
    const other = await madeWatch(store().db, wanted, at(-1));
    await night.poll(failureOf('a'));
    const before = night.digests().length;
    await muteIt(1500, 'U0ANN', 1);
    night.minutes = 1440;
    const occurredAt = at(1440);
    await night.poll(failureOf('a', { eventKey: 'again', occurredAt }), failureOf('b', { occurredAt }));
    const digests = night.digests().slice(before);
    expect(
      digests.flatMap((digest) => alertsIn(digest).map((alert) => `${digest.channel} ${alert}`)).toSorted(),
    ).toEqual([`${watch.channel} new #2 1`, `${other.channel} goes-on #1 2`, `${other.channel} new #2 1`].toSorted());
    expect(await listedMutes(store().db, ['production'], night.now())).toMatchObject([{ incident: { id: 1 } }]);
  });

  const muteFrom = (target: Partial<MuteTarget>, from: number, to: number) =>
    setMute(
      ctx(),
      watch.id,
      { incidentId: null, provider: null, workflow: null, ...target },
      { actor: 'U0ANN', time: { from: at(from), to: at(to) } },
    );

  test('of a provider holds back all that fails at it, however bad it gets, and nothing else', async () => {
    await muteFrom({ provider: 'twilio' }, 0, 60);
    const sms = { channel: 'sms', provider: 'Twilio', critical: true };
    await night.poll(...night.many(50, sms), failureOf('b', { occurredAt: at(0) }));
    expect(night.digests().flatMap(alertsIn)).toEqual(['new #2 1']);
    night.minutes = 61;
    await night.poll(night.refused(51, sms));
    expect(night.digests().slice(1).flatMap(alertsIn)).toEqual(['missed #1 51']);
  });

  test('of a workflow holds back what fails in it alone, and lets pass what fails in others, too', async () => {
    await muteFrom({ workflow: 'Order-Shipped' }, 0, 60);
    await night.poll(failureOf('a'), failureOf('b', { workflow: 'welcome' }));
    expect(night.digests().flatMap(alertsIn)).toEqual(['new #2 1']);
    night.minutes = 1;
    await night.poll(failureOf('a', { eventKey: 'another', workflow: 'welcome', occurredAt: at(1) }));
    expect(night.digests().slice(1).flatMap(alertsIn)).toEqual(['missed #1 2']);
  });

  test('that is planned holds back from its beginning to its end, also what gets worse', async () => {
    await muteFrom({ incidentId: null }, 30, 60);
    await night.poll(failureOf('a'));
    night.minutes = 40;
    await night.poll(failureOf('b', { occurredAt: at(40), critical: true }));
    expect(night.digests().flatMap(alertsIn)).toEqual(['new #1 1']);
    night.minutes = 61;
    await night.poll();
    expect(night.digests().slice(1).flatMap(alertsIn)).toEqual(['missed #2 1']);
  });

  test('that breaks is named with who set it, though another of the incident is planned', async () => {
    await night.poll(night.refused(0));
    await muteIt(60, 'U0ANN', 1);
    await setMute(
      ctx(),
      watch.id,
      { incidentId: 1, provider: null, workflow: null },
      { actor: 'U0BEN', time: { from: at(600), to: at(900) } },
    );
    night.minutes = 6;
    await night.poll(...night.many(20, { critical: true, from: 1 }));
    expect(night.digests().at(-1)?.rows).toMatchObject([{ broke: { actor: 'U0ANN', until: at(60) } }]);
  });

  test('that is planned stands beside one that runs, and is cancelled with it', async () => {
    await muteIt(10);
    await muteFrom({}, 30, 60);
    await muteFrom({ provider: 'twilio' }, 40, 60);
    const planned = async () =>
      (await mutesSet(store().db, watch.id, night.now())).map(({ provider, beginsAt }) => [provider, beginsAt]);
    expect(await planned()).toEqual([
      [null, at(0)],
      [null, at(30)],
      ['twilio', at(40)],
    ]);
    night.minutes = 1;
    await unmuteIt();
    expect(await planned()).toEqual([['twilio', at(40)]]);
  });

  test("can't be set in a watch that has ended", async () => {
    await endWatch(ctx(), watch.id, 'U0ANN');
    expect(await muteIt(60)).toBeNull();
    expect(await unmuteIt()).toBeNull();
  });
});
