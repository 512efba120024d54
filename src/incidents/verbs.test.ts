import { beforeEach, expect, test } from 'vitest';
import { describeNight, drawn } from '../alerts/night.testing.ts';
import { auditEntries } from '../audit/audit.ts';
import { silent } from '../lib/logger.testing.ts';
import { AuditedChange } from '../lookups/audited.ts';
import { at, failureOf } from '../store/examples.testing.ts';
import { act, type IncidentVerb } from './verbs.ts';

describeNight('What people do about an incident', (night, store) => {
  let woken: number;
  beforeEach(async () => {
    woken = 0;
    await night.watch();
    await night.poll(failureOf('a'));
  });
  const ctx = () => ({
    db: store().db,
    logger: silent,
    now: night.now,
    wakeAnnouncing: async () => {
      woken += 1;
    },
  });
  const trail = async () => {
    const query = { since: at(-1), environments: [], olderThan: null, limit: 20 };
    return (await auditEntries(store().db, query)).items
      .filter(({ incidentId }) => incidentId !== null)
      .map(({ actor, channel, change: stored }) => {
        const change = AuditedChange.parse(stored);
        const what = 'to' in change ? ` to ${change.to}` : 'text' in change ? ` ${change.text}` : '';
        return `${actor} ${change.action}${what} in ${channel}`;
      });
  };

  const does = (who: string, verb: IncidentVerb) => act(ctx(), { incidentId: 1, channel: 'C0ALERTS' }, verb, who);
  const ASSIGN = { what: 'assigned', to: 'U0CAT' } as const;
  const NOTE = { what: 'noted', text: 'key rotated' } as const;

  test('is done once, whoever repeats it, and recorded once with its channel', async () => {
    const verbs = [{ what: 'acknowledged' }, ASSIGN, { what: 'unacknowledged' }, { what: 'resolved' }] as const;
    for (const verb of verbs) {
      const outcomes = await Promise.all(['U0ANN', 'U0BEN'].map((who) => does(who, verb)));
      expect(outcomes.toSorted()).toEqual([false, true]);
    }
    expect(woken).toBe(4);
    expect((await trail()).map((entry) => entry.replace(/^U0(ANN|BEN) /, ''))).toEqual([
      'resolved in C0ALERTS',
      'unacknowledged in C0ALERTS',
      'assigned to U0CAT in C0ALERTS',
      'acknowledged in C0ALERTS',
    ]);
  });

  test('is shown in its row at once', async () => {
    for (const verb of [{ what: 'acknowledged' }, ASSIGN, NOTE] as const) await does('U0ANN', verb);
    expect((await trail())[0]).toBe('U0ANN noted key rotated in C0ALERTS');
    await night.poll();
    const incident = { acknowledged: { actor: 'U0ANN' }, assignedTo: 'U0CAT', note: { text: 'key rotated' } };
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ rows: [{ incident }] });
  });

  test('notifies who gets or loses it, and whose acknowledgment is taken back, but nobody of what they did themselves', async () => {
    const acts: readonly (readonly [string, IncidentVerb])[] = [
      ['U0ANN', { what: 'assigned', to: 'U0BEN' }],
      ['U0BEN', { what: 'acknowledged' }],
      ['U0CAT', ASSIGN],
      ['U0ANN', NOTE],
      ['U0CAT', { what: 'unacknowledged' }],
    ];
    for (const [who, verb] of acts) {
      await night.does(1, verb, who);
      await night.wait(1);
    }
    const direct = night.channel.posted.flatMap((content) => (content.kind === 'personal' ? [content] : []));
    expect(direct.map(({ channel, news: { what } }) => `${channel} ${what}`).toSorted()).toEqual([
      'U0BEN assigned',
      'U0BEN taken',
      'U0BEN unacknowledged',
    ]);
  });

  test('can be a note once it is resolved, but neither to acknowledge nor to unacknowledge it', async () => {
    await does('U0ANN', { what: 'resolved' });
    expect(await does('U0BEN', { what: 'acknowledged' })).toBe(false);
    await does('U0ANN', { what: 'reopened' });
    await does('U0ANN', { what: 'acknowledged' });
    await does('U0ANN', { what: 'resolved' });
    expect(await does('U0BEN', { what: 'unacknowledged' })).toBe(false);
    expect(await does('U0ANN', NOTE)).toBe(true);
  });

  test('can be to reopen it, if a person resolved it', async () => {
    expect(await does('U0ANN', { what: 'reopened' })).toBe(false);
    await does('U0ANN', { what: 'resolved' });
    expect(await does('U0BEN', { what: 'reopened' })).toBe(true);
    expect((await drawn(night, 0)).rows[0]?.incident.state).toEqual({ is: 'firing' });
  });

  test('does nothing and is recorded nowhere if the incident is no longer kept', async () => {
    const gone = { incidentId: 99, messageId: null };
    for (const verb of [{ what: 'acknowledged' }, NOTE] as const)
      expect(await act(ctx(), gone, verb, 'U0ANN')).toBe(false);
    expect([woken, await trail()]).toEqual([0, []]);
  });
});
