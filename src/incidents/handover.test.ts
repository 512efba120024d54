import { describe, expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import { anIncident } from '../slack/slack.testing.ts';
import { type Handover, ownerOf, peopleNamed } from './handover.ts';
import type { IncidentNow } from './incident.ts';

const by = (person: string) => ({ by: person, at: NOON });
const note = (person: string) => ({ ...by(person), text: 'keys were rotated' });

function handover(open: IncidentNow[], over: IncidentNow[] = [], muting: string[] = []): Handover {
  return {
    range: { from: NOON, to: at(3_600) },
    environments: [],
    open: { items: open, more: 0, unowned: 0 },
    over: { items: over, more: 0 },
    mutes: {
      items: muting.map((person) => ({ channel: 'C1', muted: { watches: 1 }, by: person, until: at(5_400) })),
      more: 0,
    },
    mutesTo: at(7_200),
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
  const lastTime = { from: NOON, to: NOON, ...taken, note: note('U5') };

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
