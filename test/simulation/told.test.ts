import { expect, test } from 'vitest';
import type { Rule } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import type { Stretch } from './facts.ts';
import { readingsIn } from './readings.ts';
import type { Done } from './story.ts';
import { toldWrong } from './told.ts';
import type { IncidentThen, Told, WatchThen } from './told-facts.ts';
import { MINUTE } from './virtual-time.ts';

const at = (minute: number) => Date.parse('2026-03-23T12:00:00.000Z') + minute * MINUTE;
const failed = (minute: number, critical = false) => ({
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
  isReached: () => true,
  isWhole: true,
  isHeld: false,
  isSurelyHeld: false,
  covers: () => true,
};

interface Story {
  texts: readonly Shown[];
  states?: Record<number, Partial<IncidentThen>>;
  done?: Partial<Done>;
  watch?: Partial<WatchThen>;
  lost?: Stretch;
}

/** A failure at noon, which a watch covers. Moments are five minutes apart, and one stays as it is said to be from its minute on. */
function told({ texts, states = {}, done, watch = {}, lost }: Story): Rule[] {
  const shown = texts.map((text, index) => ({ ...text, deliveryId: text.isEdit ? 'm0' : `m${index}` }));
  let then: IncidentThen = { state: 'firing', outbreak: 1, endedAt: null, failures: [], earlier: [] };
  const moments = Array.from({ length: 13 }, (_, index) => {
    then = { ...then, ...(index === 0 ? { failures: [failed(0.5)] } : {}), ...states[index * 5] };
    return {
      at: at(index * 5 + 0.9),
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
    isReached: () => true,
    done: done === undefined ? [] : [{ ...ACKNOWLEDGED, ...done }],
    provenAt: () => 0,
    withinMs: () => 6 * MINUTE,
    blurMs: 0,
    isCountable: true,
    isEditable: true,
    end: at(61),
  };
  return [...new Set(toldWrong(facts).map(({ rule }) => rule))];
}

const ACKNOWLEDGED: Done = {
  at: 0,
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
const row = (failures = 1, since = 0, more = '') =>
  `head\n${failures} failures since <!date^${at(since) / 1_000}^{time}|12:00 UTC> · 1 person${more} · #1`;
const FIRST = says(1, row());
const UNOWNED = says(20, `<@U0EVE>\n${row(1, 0, ' · not acknowledged')}`);
const NOTE = { ...says(6, '📝 Note by ann'), threadOf: 'm0' };
const LATER = { at: at(8), drawnAt: at(8) };
const LOST = { from: at(5), to: at(7) };
const OVER = says(1, `${row()}\n✅ resolved at`);
const ENDED = { 15: { state: 'resolved', endedAt: at(15) } };
const LABELED = { 10: { failures: [{ ...failed(0.5, true), labeledAt: at(8) }] } };
const CALM = says(7, `${row()}\n✅ resolved at`, true);
const OTHERS = {
  5: { state: 'resolved', outbreak: 2, failures: [failed(3), failed(4)], earlier: [failed(0.5)] },
};
const ONLY: Partial<WatchThen> = { covers: (_, { id }) => id === 'failure 0.5' };
const BACK = { 20: { outbreak: 2, failures: [failed(20)] } };
const MUTED = { what: 'muted', watchId: 'w1', at: at(2), until: at(99) } as const;
const HELD = { isHeld: true, isSurelyHeld: true };

test.each<[string, Story, Rule[]]>([
  ['as it was', { texts: [FIRST] }, []],
  ['too late', { texts: [] }, ['due']],
  ['with a "since" that moves', { texts: [FIRST, says(6, row(1, 2), true)] }, ['true']],
  ['with a wrong count', { texts: [FIRST, says(7, row(2), true)] }, ['counted', 'edited']],
  ['and not edited', { texts: [FIRST], states: ENDED }, ['edited']],
  ['twice, for nothing', { texts: [FIRST, says(20, row())] }, ['alerted-once']],
  ['by a ring though somebody has it', { texts: [FIRST, UNOWNED], done: { at: at(2) } }, ['true']],
  ['as over, five minutes after', { texts: [OVER], states: { 5: { state: 'resolved', endedAt: at(5) } } }, ['true']],
  ['again, as what is critical since', { texts: [FIRST, says(20, row())], states: LABELED }, []],
  ["with what it was posted for while only others' fail", { texts: [FIRST, CALM], states: OTHERS, watch: ONLY }, []],
  ['to nobody who follows it', { texts: [OVER], states: ENDED, done: { what: 'followed' } }, ['due']],
  ['again after the database lost it', { texts: [FIRST, NOTE, { ...NOTE, ...LATER }], lost: LOST }, ['posted-once']],
  ['while the watch is muted', { texts: [says(7, row())], watch: HELD }, ['muted']],
  ['though its mute is over', { texts: [FIRST], states: BACK, done: MUTED }, ['due']],
])('reports what is told %s', (_, story, rules) => {
  expect(told(story)).toEqual(rules);
});
