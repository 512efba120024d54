import { expect, test } from 'vitest';
import { aChange, aDeploy } from '../../../changes/changes.testing.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { TimelineEntry } from '../../../incidents/timeline.ts';
import { anIncident, at, buttonsOf, PRODUCTION } from '../../slack.testing.ts';
import { timelineMessage } from './timeline.ts';
import { type Timeline, timelineLines } from './timeline-lines.ts';

type Change = TimelineEntry['change'];
type Entry = readonly [seconds: number, change: Change, actor?: string | null, outbreak?: number];

const RESOLVED = { is: 'resolved', at: at(900), actor: null } as const;

function aTimeline(entries: readonly Entry[], change: Partial<Timeline>, incident: Partial<IncidentNow>): Timeline {
  return {
    incident: anIncident(incident),
    environment: PRODUCTION,
    entries: entries.map(([seconds, change, actor = null, outbreak = 1], id) => {
      return { id, at: at(seconds), actor, channel: null, outbreak, change };
    }),
    posts: [],
    changes: [],
    resends: [],
    names: new Map([
      ['U0ANN', 'ann'],
      ['C0ONCALL', 'oncall'],
    ]),
    ...change,
  };
}

const ended = (from: number, to: number, failures: number): Change => ({
  action: 'ended',
  ending: 'recovered',
  from: at(from),
  to: at(to),
  failures,
  subscribers: failures - 1,
  isAtLeast: false,
  verdicts: ['failed'],
});
const began = (seconds: number) =>
  ({ failedAt: at(seconds), workflow: 'order-shipped', critical: seconds > 3_600 }) as const;

test('A timeline says where a mute holds', () => {
  const muted: Entry = [60, { action: 'incident-muted', until: at(3_600) }, 'U0ANN'];
  const { entries, ...timeline } = aTimeline([muted, muted], {}, {});
  const channels = ['C0ONCALL', 'C0PRIVATE'];
  const inChannels = entries.map((entry, place) => ({ ...entry, channel: channels[place] ?? null }));
  const lines = timelineLines({ ...timeline, entries: inChannels });
  expect(lines.slice(2).map((line) => line.replace(/.* in /, 'in '))).toEqual(['in #oncall', 'in a private channel']);
});

test('A timeline says of which outbreak what was found later', () => {
  const found: Change = { action: 'found-later', failures: 1, of: 2 };
  const incident = { outbreak: 2, earlier: [{ from: at(0), to: at(60) }], beganAt: at(3_600) };
  const entries: readonly Entry[] = [
    [4_000, found, null, 1],
    [4_001, found, null, 2],
  ];
  const lines = timelineLines(aTimeline(entries, {}, incident)).slice(2);
  expect(lines).toEqual([
    expect.stringMatching(/\+1 found later: 2 failures, in the outbreak of .*12:00/),
    expect.stringMatching(/\+1 found later: 2 failures$/),
  ]);
});

test('The time that an incident failed in all never shrinks', () => {
  const total = (incident: Partial<IncidentNow>) => timelineLines(aTimeline([], {}, incident))[1];
  const failing = { beganAt: at(0), lastAt: at(1_200), asOf: at(1_260) };
  expect(total(failing)).toContain('still failing · 20 min');
  expect(total({ ...failing, state: { is: 'recovering', since: at(1_200) } })).toContain('not over yet · 20 min');
});

test('A timeline says in order what happened, when and where it was alerted, and who did what', () => {
  const posts = [
    { at: at(20), channel: 'C0ONCALL', mentions: true, isEscalation: false },
    { at: at(50), channel: 'C0PRIVATE', mentions: false, isEscalation: true },
  ];
  const deploy = aChange({ id: 7, at: at(0), what: aDeploy() });
  const entries: readonly Entry[] = [
    [16, { action: 'began', ...began(12) }],
    [30, { action: 'change-nearby', change: 7, changedAt: at(0) }],
    [40, { action: 'followed' }, 'U0ANN'],
    [60, { action: 'acknowledged' }, 'U0ANN'],
    [90, null],
    [120, { action: 'worse', badness: 'every', failed: 14, tried: 14 }],
    [640, { action: 'recovering', lastFailedAt: at(600) }],
    [900, ended(12, 600, 48)],
    [50_400, { action: 'back', ...began(50_060) }, null, 2],
    [50_500, { action: 'noted', text: '@UTC is not a person' }, 'U0ANN', 2],
    [50_700, { action: 'sent-again', notifications: 50 }, 'U0ANN', 2],
    [50_900, { action: 'resolved' }, 'U0ANN', 2],
  ];
  const timeline = aTimeline(
    entries,
    { posts, changes: [deploy], resends: [{ at: at(50_700), delivered: 47 }] },
    {
      state: { ...RESOLVED, actor: 'U0ANN' },
      outbreak: 2,
      beganAt: at(50_000),
      lastAt: at(50_120),
      earlier: [{ from: at(12), to: at(600) }],
      failures: 3,
      failuresInAll: 51,
      subscribers: 2,
    },
  );
  expect(timelineLines(timeline)).toEqual([
    '#1 Email via SendGrid failed: API key refused (401) · production · 2026-03-04, UTC',
    '12 min in 2 outbreaks · 51 failures',
    '12:00:00 🚀 Deploy: checkout 2.3',
    '12:00:12 🔴 First failure (order-shipped)',
    '12:00:20 📣 Alerted in #oncall, with the mention',
    '12:00:50 ⏰ Not acknowledged: told in a private channel',
    '12:01:00 👀 Acknowledged by ann (44 s)',
    '12:02:00 📈 Every now: 14 of 14',
    '12:10:40 ⚪ No new ones since 12:10 UTC',
    '12:15:00 ✅ Resolved: recovered · 10 min · 48 failures · 47 people',
    '2026-03-05',
    '01:53:20 🔴 Back (order-shipped), critical, found at 02:00:00 UTC',
    '02:01:40 📝 Note by ann: “@UTC is not a person”',
    '02:05:00 ↻ 50 notifications sent again by ann: 47 of 50 got it',
    '02:08:20 ✅ Resolved by ann · 2 min · 3 failures · 2 people',
  ]);
  expect(buttonsOf(timelineMessage(timeline))).toEqual(['Share']);
});

test('A silence has no failures in its timeline', () => {
  const silence = { kind: 'silence', state: RESOLVED, headline: null } as const;
  const entries: readonly Entry[] = [
    [16, { action: 'began', ...began(12), workflow: null }],
    [500, { action: 'recovering', lastFailedAt: at(400) }],
    [900, ended(12, 600, 1)],
  ];
  expect(timelineLines(aTimeline(entries, {}, silence)).slice(1)).toEqual([
    '3 min',
    '12:00:12 🔴 Began',
    '12:08:20 ⚪ Recovering',
    '12:15:00 ✅ Resolved: recovered · 10 min',
  ]);
});
