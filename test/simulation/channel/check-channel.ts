import { CALM_REDRAWN_EVERY_MS, LIVELY_MS, REDRAWN_EVERY_MS } from '../../../src/domain/alerting/pace.ts';
import { statusHeadline } from '../../../src/domain/health/headline.ts';
import type { Status } from '../../../src/domain/health/status.ts';
import type { StandingMessage } from '../week/model-slack.ts';
import { incidentNamed, type PlantedEpisode, type PlantedIncidents, type PlantedRow } from './planted-incidents.ts';
import { type ShownNow, type ShownRow, shownRows, shownSum } from './shown-rows.ts';

const SECOND = 1_000;
/** The time that announcing and Slack calls take on top of the poll interval and the edit interval. */
const WORKING_MS = 30 * SECOND;

/** An untrue statement in a channel: when, and in which row. */
export interface Untruth {
  readonly at: number;
  readonly what: string;
}

export interface ChannelCheck {
  /** Called when a message was posted or edited: compares its rows with what was planted, as of now. */
  shown(message: StandingMessage): void;
  /** Compares each message in a channel with the state of this minute, and the headline with the open incidents. */
  minute(standing: Iterable<StandingMessage>, status: Status, minute: CheckedMinute): void;
  /** Returns the number of the newest incident shown for a place. Throws if there was none. */
  newestNumber(place: string): number;
  readonly untruths: readonly Untruth[];
  readonly checked: { rows: number; minutes: number };
}

export interface CheckedMinute {
  readonly at: number;
  /**
   * The time up to which everything was checked; `editableSince` is the time since which Slack has accepted edits and Notif has been
   * running without a pause.
   */
  readonly checkedTo: number;
  readonly editableSince: number;
  /** What a headline has to name besides incidents. */
  readonly isMuted: boolean;
  readonly isUnchecked: boolean;
  readonly isPending: boolean;
}

interface Drawn {
  readonly rows: readonly {
    readonly row: ShownRow;
    readonly episode: PlantedEpisode | null;
    readonly expected: PlantedRow | null;
  }[];
  readonly faults: readonly string[];
}

/**
 * Compares what a channel shows with what was planted. A row is true as of the time that it names, and its counts must be exact for that
 * time. Its state and age can lag by the documented edit interval (docs/guarantees.md, "What a row says"), a poll interval and half a
 * minute.
 */
export function createChannelCheck(planted: PlantedIncidents, pollMs: number): ChannelCheck {
  const untruths: Untruth[] = [];
  const checked = { rows: 0, minutes: 0 };
  const drawn = new Map<string, Drawn>();

  function note(at: number, what: string): void {
    untruths.push({ at, what: `${new Date(at).toISOString().slice(0, 19)} ${what}` });
  }

  return {
    untruths,
    checked,
    newestNumber(place) {
      const numbers = [...drawn.values()].flatMap(({ rows }) =>
        rows.flatMap(({ row }) => (row.place === place ? row.number : [])),
      );
      if (numbers.length === 0) throw new Error(`no incident of ${place} was shown`);
      return Math.max(...numbers);
    },
    shown(message) {
      if (message.kind !== 'digest') return;
      const rows = shownRows(message.message).map((row) => {
        const episode = planted.episodeSince(incidentNamed(row.place, row.cause), row.since);
        return {
          row,
          episode,
          expected: episode === null ? null : planted.rowAt(episode, row.now?.to ?? message.drawnAt),
        };
      });
      const faults = [
        ...rows.flatMap(({ row, episode, expected }) => rowFaults(row, episode, expected)),
        ...sumFaults(message),
      ];
      drawn.set(message.id, { rows, faults });
      for (const fault of faults) note(message.drawnAt, fault);
    },
    minute(standing, status, minute) {
      checked.minutes += 1;
      for (const { id, postedAt, drawnAt } of standing) {
        const rows = minute.at - postedAt < DAY ? (drawn.get(id)?.rows ?? []) : [];
        for (const { row, episode } of rows) {
          checked.rows += 1;
          if (episode === null) continue;
          const fault = ageFault(row, episode, drawnAt, pollMs, minute);
          if (fault !== null) note(minute.at, fault);
        }
      }
      for (const fault of headlineFaults(status, planted.open(minute.at), minute)) note(minute.at, fault);
    },
  };
}

const DAY = 24 * 60 * 60 * SECOND;

function rowFaults(row: ShownRow, episode: PlantedEpisode | null, expected: PlantedRow | null): string[] {
  const name = `#${row.number} ${row.place}, ${row.cause}:`;
  if (episode === null || expected === null) return [`${name} no episode began at ${row.since}`];
  const differ = (what: string, shown: unknown, true_: unknown) =>
    shown === true_ ? [] : [`${name} ${what} ${shown}, not ${true_}`];
  return [
    ...differ('failures since', row.total, expected.total),
    ...(row.now === null ? [] : nowFaults(row.now, expected, row.state, differ)),
  ];
}

function nowFaults(
  now: ShownNow,
  expected: PlantedRow,
  _state: ShownRow['state'],
  differ: (what: string, shown: unknown, true_: unknown) => string[],
): string[] {
  const seconds = (at: number | null) => (at === null ? null : Math.floor(at / SECOND) * SECOND);
  return [
    ...differ('failures of five minutes', now.failures, expected.failures),
    ...(now.attempts === null ? [] : differ('attempts of five minutes', now.attempts, expected.attempts)),
    ...differ('percentage', now.percent, percentOf(expected)),
    ...differ('trend', now.trend, expected.trend),
    ...(now.lastFailure === null ? [] : differ('last failure', now.lastFailure, seconds(expected.lastFailure))),
    ...(now.lastSuccess === null && now.lastFailure === null
      ? []
      : differ('last success', now.lastSuccess, seconds(expected.lastSuccess))),
  ];
}

/** Null below five attempts. Two digits below ten. */
function percentOf({ failures, attempts }: PlantedRow): string | null {
  if (attempts < 5 || failures === 0 || failures > attempts) return null;
  const value = (100 * failures) / attempts;
  if (value < 0.1) return 'under 0.1%';
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}%`;
}

function sumFaults({ message }: StandingMessage): string[] {
  const rows = shownRows(message);
  const sum = shownSum(message);
  const failures = rows.reduce((total, row) => total + row.total, 0);
  if (rows.length < 2 ? sum === null : sum?.failures === failures && sum.incidents === rows.length) return [];
  return [`the header says ${sum?.failures} in ${sum?.incidents}, the rows ${failures} in ${rows.length}`];
}

function ageFault(
  { number, place, cause, state, relapses, now }: ShownRow,
  episode: PlantedEpisode,
  drawnAt: number,
  pollMs: number,
  { at, checkedTo, editableSince }: CheckedMinute,
): string | null {
  const name = `#${number} ${place}, ${cause}:`;
  const isLively = at - episode.lastRecordedAt <= LIVELY_MS;
  const lagMs = pollMs + WORKING_MS + REDRAWN_EVERY_MS;
  if (at - editableSince < lagMs) return null;
  const wasTrue = statesWithin(episode, at - lagMs, at).some((one) => one.state === state && one.relapses === relapses);
  if (!wasTrue)
    return `${name} it says ${state}, relapsed ${relapses}×; it is ${episode.state}, relapsed ${episode.relapses}×`;
  const redrawnMs = isLively ? REDRAWN_EVERY_MS : CALM_REDRAWN_EVERY_MS;
  const isOpen = episode.state === 'firing' || episode.state === 'recovering';
  const mostMs = redrawnMs + pollMs + WORKING_MS;
  if (!isOpen || now === null || at - editableSince < mostMs) return null;
  const ageMs = Math.min(at, checkedTo + pollMs) - now.to;
  return ageMs > mostMs
    ? `${name} its now ends ${Math.round(ageMs / SECOND)} s ago, drawn at ${new Date(drawnAt).toISOString()}`
    : null;
}

function statesWithin({ history }: PlantedEpisode, from: number, to: number): PlantedEpisode['history'] {
  const first = history.findLastIndex(({ at }) => at <= from);
  return history.slice(Math.max(0, first)).filter(({ at }) => at <= to);
}

function headlineFaults(
  status: Status,
  open: readonly PlantedEpisode[],
  { isMuted, isUnchecked, isPending }: CheckedMinute,
): string[] {
  const points = statusHeadline(status);
  const has = (point: string) => points.some((one) => one.point === point);
  const groups = (point: 'failing' | 'quiet') =>
    points.reduce((sum, one) => sum + (one.point === point ? one.groups : 0), 0);
  const firing = open.filter(({ state }) => state === 'firing').length;
  const others = open.length - firing;
  return [
    ...(groups('failing') === firing ? [] : [`the headline says ${groups('failing')} failing, not ${firing}`]),
    ...(groups('quiet') === others ? [] : [`the headline says ${groups('quiet')} without failures, not ${others}`]),
    ...(isMuted && !has('muted') ? ['the headline names no mute'] : []),
    ...(isUnchecked && !has('unchecked') ? ["the headline doesn't say that not all is checked"] : []),
    ...(isPending && !has('pending') ? ['the headline names no message that is pending'] : []),
  ];
}
