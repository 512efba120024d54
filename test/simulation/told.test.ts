import { expect, test } from 'vitest';
import type { Rule } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import type { Stretch } from './facts.ts';
import { readingsIn } from './readings.ts';
import type { Done } from './story.ts';
import { toldWrong } from './told.ts';
import type { FailureThen, IncidentThen, Told, WatchThen } from './told-facts.ts';
import { MINUTE } from './virtual-time.ts';

/** From noon. */
const at = (minute: number) => Date.parse('2026-03-23T12:00:00.000Z') + minute * MINUTE;
const failed = (minute: number, critical = false): FailureThen => ({
  id: `failure ${minute}`,
  at: at(minute),
  failedAt: at(minute) - 1,
  person: 'a',
  workflow: 'w',
  critical,
  labeledAt: 0,
});

const WATCH: WatchThen = {
  channel: 'C0ALL',
  escalateMs: null,
  everyMs: 0,
  settings: '',
  isThresholdReached: () => true,
  isWhole: true,
  mayBeHeld: false,
  isSurelyHeld: false,
  covers: () => true,
};

const ACKNOWLEDGED: Done = {
  at: at(2),
  actor: 'U0ANN',
  what: 'acknowledged',
  incidentId: 1,
  watchId: null,
  until: null,
};

const says = (minute: number, text: string, isEdit = false): Shown => ({
  deliveryId: '',
  place: 'C0ALL',
  at: at(minute),
  drawnAt: at(minute),
  isEdit,
  threadOf: null,
  text,
  isBroadcast: false,
  isMarked: false,
});

/** A message of one row, as Slack gets it. `since` is a minute. */
const row = ({ failures = 1, since = 0, more = '' } = {}) =>
  `head\n${failures} failures since <!date^${at(since) / 1_000}^{time}|12:00 UTC> · 1 person${more} · #1`;

const POSTED = says(1, row());
const POSTED_AGAIN = says(20, row());
const POSTED_AS_RESOLVED = says(1, `${row()}\n✅ resolved at`);
const EDITED_TO_RESOLVED = says(7, `${row()}\n✅ resolved at`, true);
const NOTE = { ...says(6, '📝 Note by ann'), threadOf: 'm0' };
const RESOLVED_AT_15 = { 15: { state: 'resolved', endedAt: at(15) } };

interface Case {
  texts: readonly Shown[];
  /** What changes of the incident, by the minute of a moment. */
  states?: Record<number, Partial<IncidentThen>>;
  done?: Done;
  watch?: Partial<WatchThen>;
  lost?: Stretch;
}

test.each<[string, Case, Rule[]]>([
  ['as it was', { texts: [POSTED] }, []],
  ['too late', { texts: [] }, ['due']],
  ['with a "since" that moves', { texts: [POSTED, says(6, row({ since: 2 }), true)] }, ['true']],
  ['with a wrong count', { texts: [POSTED, says(7, row({ failures: 2 }), true)] }, ['counted', 'edited']],
  ['and not edited', { texts: [POSTED], states: RESOLVED_AT_15 }, ['edited']],
  ['twice, for nothing', { texts: [POSTED, POSTED_AGAIN] }, ['alerted-once']],
  [
    'by a ring though somebody has it',
    {
      texts: [POSTED, says(20, `<@U0EVE>\n${row({ more: ' · not acknowledged' })}`)],
      done: ACKNOWLEDGED,
    },
    ['true'],
  ],
  [
    'as over, five minutes after',
    {
      texts: [POSTED_AS_RESOLVED],
      states: { 5: { state: 'resolved', endedAt: at(5) } },
    },
    ['true'],
  ],
  [
    'again, as what is critical since',
    {
      texts: [POSTED, POSTED_AGAIN],
      states: { 10: { failures: [{ ...failed(0.5, true), labeledAt: at(8) }] } },
    },
    [],
  ],
  [
    "with what it was posted for while only others' fail",
    {
      texts: [POSTED, EDITED_TO_RESOLVED],
      states: { 5: { state: 'resolved', outbreak: 2, failures: [failed(3), failed(4)], earlier: [failed(0.5)] } },
      watch: { covers: (_, { id }) => id === failed(0.5).id },
    },
    [],
  ],
  [
    'to nobody who follows it',
    {
      texts: [POSTED_AS_RESOLVED],
      states: RESOLVED_AT_15,
      done: { ...ACKNOWLEDGED, at: 0, what: 'followed' },
    },
    ['due'],
  ],
  [
    'again after the database lost it',
    {
      texts: [POSTED, NOTE, { ...NOTE, at: at(8), drawnAt: at(8) }],
      lost: { from: at(5), to: at(7) },
    },
    ['posted-once'],
  ],
  [
    'while the watch is muted',
    {
      texts: [says(7, row())],
      watch: { mayBeHeld: true, isSurelyHeld: true },
    },
    ['muted'],
  ],
  [
    'though its mute is over',
    {
      texts: [POSTED],
      states: { 20: { outbreak: 2, failures: [failed(20)] } },
      done: { ...ACKNOWLEDGED, what: 'muted', watchId: 'w1', until: at(99) },
    },
    ['due'],
  ],
])('reports what is told %s', (_, told, rules) => {
  expect(rulesBrokenBy(told)).toEqual(rules);
});

const MOMENTS = 13;
const MOMENT_MINUTES = 5;

/** What fails from half a minute after noon on, a watch covers. The incident stays as it is said to be from a moment on. */
function rulesBrokenBy({ texts, states = {}, done, watch = {}, lost }: Case): Rule[] {
  const misplaced = Object.keys(states).find((minute) => Number(minute) % MOMENT_MINUTES > 0);
  if (misplaced !== undefined) throw new Error(`minute ${misplaced} is no moment`);
  const shown = texts.map((text, index) => ({ ...text, deliveryId: text.isEdit ? 'm0' : `m${index}` }));
  let then: IncidentThen = { state: 'firing', outbreak: 1, endedAt: null, failures: [failed(0.5)], earlier: [] };
  const moments = Array.from({ length: MOMENTS }, (_, index) => {
    const minute = index * MOMENT_MINUTES;
    then = { ...then, ...states[minute] };
    return {
      // After the first failure, and before the first message.
      at: at(minute + 0.9),
      incidents: new Map([[1, then]]),
      watches: new Map([['w1', { ...WATCH, ...watch }]]),
    };
  });
  const posts = shown.filter(({ threadOf, place }) => threadOf === null && place === 'C0ALL');
  const facts: Told = {
    shown,
    moments,
    readings: shown.flatMap(readingsIn),
    mayBeSingle: new Set(),
    deletedAt: new Map(),
    excuses: [],
    lost: lost ?? null,
    isHistoryRead: true,
    watchOf: new Map(posts.map(({ deliveryId }) => [deliveryId, 'w1'])),
    aboutOf: new Map(shown.map(({ deliveryId }) => [deliveryId, [1]])),
    takesDirectMessages: () => true,
    done: done === undefined ? [] : [done],
    provenAt: () => 0,
    withinMs: () => 6 * MINUTE,
    blurMs: 0,
    replicasApartMs: 0,
    isCountable: true,
    isEditable: true,
    end: at(61),
  };
  return [...new Set(toldWrong(facts).map(({ rule }) => rule))];
}
