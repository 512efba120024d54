import { describe, expect, test } from 'vitest';
import { aCandidate, minutesLater, NOON } from '../alerting/alert-decision.testing.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import { type Handover, ownerOf, peopleNamed } from './handover.ts';

function anIncident(change: Partial<IncidentNow> = {}): IncidentNow {
  return {
    episodeId: 1,
    asOf: NOON,
    tally: aCandidate().tally,
    outageSince: NOON,
    parts: [],
    moreParts: 0,
    shared: null,
    changedBefore: null,
    lately: { window: { from: NOON, to: NOON }, failures: 1, attempts: 1, lastSuccessAt: null, trend: [] },
    state: { is: 'firing' },
    relapses: 0,
    acknowledged: null,
    unacknowledged: null,
    assigned: null,
    mute: null,
    note: null,
    lastTime: null,
    ...change,
  };
}

const by = (person: string) => ({ by: person, at: NOON });
const note = (person: string) => ({ ...by(person), text: 'keys were rotated' });

function handover(open: IncidentNow[], over: IncidentNow[] = [], muting: string[] = []): Handover {
  return {
    range: { from: NOON, to: minutesLater(60) },
    environments: [],
    open: { items: open, more: 0, unowned: 0 },
    over: { items: over, more: 0 },
    mutes: {
      items: muting.map((person) => ({ channel: 'C1', muted: { watches: 1 }, by: person, until: minutesLater(90) })),
      more: 0,
    },
    mutesTo: minutesLater(120),
  };
}

test('the owner of an incident is its assignee, else the person who acknowledged it', () => {
  const assigned = { ...by('U1'), to: 'U2' };
  expect(ownerOf(anIncident({ assigned, acknowledged: by('U3') }))).toBe('U2');
  expect(ownerOf(anIncident({ acknowledged: by('U3') }))).toBe('U3');
  expect(ownerOf(anIncident())).toBeNull();
});

describe('a handover', () => {
  const taken = { acknowledgedBy: null, assignedTo: null, resolvedBy: null };
  const lastTime = { from: NOON, to: NOON, taken, note: note('U5'), since: 0 };

  test('names the people of open incidents and of those that are over, and those who muted, each once', () => {
    const open = anIncident({
      assigned: { ...by('U1'), to: 'U2' },
      acknowledged: by('U3'),
      note: note('U4'),
      lastTime,
    });
    const over = anIncident({ state: { is: 'resolved', at: NOON, by: 'U6' }, lastTime, acknowledged: by('U3') });
    expect(peopleNamed(handover([open, anIncident()], [over], ['U7', 'U2']))).toEqual([
      ...['U2', 'U3', 'U4', 'U6', 'U7'],
    ]);
  });

  test('names nobody if nobody did anything', () => {
    const resolved = anIncident({
      state: { is: 'resolved', at: NOON, by: null },
      lastTime: { ...lastTime, note: null },
    });
    expect(peopleNamed(handover([anIncident()], [resolved]))).toEqual([]);
    expect(peopleNamed(handover([]))).toEqual([]);
  });
});
