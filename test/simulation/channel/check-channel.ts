import { CALM_REDRAWN_EVERY_MS, LIVELY_MS, REDRAWN_EVERY_MS } from '../../../src/domain/alerting/pace.ts';
import type { StandingMessage } from '../week/model-slack.ts';
import { incidentNamed, type PlantedEpisode, type PlantedIncidents, type PlantedRow } from './planted-incidents.ts';
import type { PlantedMute, PlantedMutes } from './planted-mutes.ts';
import { type ShownHeadline, shownHeadline } from './shown-headline.ts';
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
  minute(standing: Iterable<StandingMessage>, headline: string, minute: CheckedMinute): void;
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
  /** What a headline has to name besides incidents and mutes. */
  readonly isUnchecked: boolean;
  readonly pending: number;
}

interface DrawnRow {
  readonly row: ShownRow;
  readonly episode: PlantedEpisode | null;
}

/**
 * Compares what a channel shows with what was planted. A row is true as of the time that it names, and its counts must be exact for that
 * time; its state and mute must be those of when it was drawn. How long it stays true is bounded by the documented edit interval
 * (docs/guarantees.md, "What a row says"), a poll interval and half a minute.
 */
export function createChannelCheck(planted: PlantedIncidents, mutes: PlantedMutes, pollMs: number): ChannelCheck {
  const untruths: Untruth[] = [];
  const checked = { rows: 0, minutes: 0 };
  const drawn = new Map<string, readonly DrawnRow[]>();

  function note(at: number, what: string): void {
    untruths.push({ at, what: `${new Date(at).toISOString().slice(0, 19)} ${what}` });
  }

  return {
    untruths,
    checked,
    newestNumber(place) {
      const numbers = [...drawn.values()].flatMap((rows) =>
        rows.flatMap(({ row }) => (row.place === place ? row.number : [])),
      );
      if (numbers.length === 0) throw new Error(`no incident of ${place} was shown`);
      return Math.max(...numbers);
    },
    shown(message) {
      if (message.kind !== 'digest') return;
      const { id, channel, drawnAt, isNew } = message;
      const before = drawn.get(id) ?? [];
      const rows = shownRows(message.message).map((row): DrawnRow => {
        const incident = incidentNamed(row.place, row.cause);
        const episode = planted.episodeSince(incident, row.since);
        const muting = mutes
          .active(drawnAt)
          .filter((one) => one.channel === channel && (one.incident ?? incident) === incident);
        const faults =
          episode === null
            ? [`no episode began at ${row.since}`]
            : [
                ...rowFaults(row, planted.rowAt(episode, row.now?.to ?? drawnAt)),
                ...muteFaults(row, muting),
                ...(isNew && muting.length > 0 ? ['was announced during a mute'] : []),
                ...differ(
                  'while muted',
                  row.missed,
                  isNew
                    ? mutes.settles(channel, incident)
                    : before.find((one) => one.row.number === row.number)?.row.missed,
                ),
              ];
        for (const fault of faults) note(drawnAt, `${nameOf(row)} ${fault}`);
        return { row, episode };
      });
      drawn.set(id, rows);
      for (const fault of sumFaults(message)) note(drawnAt, fault);
    },
    minute(standing, headline, minute) {
      checked.minutes += 1;
      for (const { id, postedAt, drawnAt } of standing) {
        const rows = minute.at - postedAt < DAY ? (drawn.get(id) ?? []) : [];
        for (const { row, episode } of rows) {
          checked.rows += 1;
          if (episode === null) continue;
          const fault = ageFault(row, episode, drawnAt, pollMs, minute);
          if (fault !== null) note(minute.at, fault);
        }
      }
      const facts = { open: planted.open(minute.at), mutes: mutes.active(minute.at) };
      for (const fault of headlineFaults(shownHeadline(headline), facts, minute)) note(minute.at, fault);
    },
  };
}

const DAY = 24 * 60 * 60 * SECOND;

const nameOf = ({ number, place, cause }: ShownRow) => `#${number} ${place}, ${cause}:`;

const differ = (what: string, shown: unknown, planted: unknown) =>
  shown === planted ? [] : [`${what} ${shown}, not ${planted}`];

function rowFaults(row: ShownRow, expected: PlantedRow): string[] {
  return [
    ...differ('state', row.state, expected.state),
    ...differ('relapses', row.relapses, expected.relapses),
    ...differ('failures since', row.total, expected.total),
    ...(row.now === null ? [] : nowFaults(row.now, expected)),
  ];
}

/** No row shows a mute of the whole watch. */
function muteFaults(row: ShownRow, muting: readonly PlantedMute[]): string[] {
  return differ('muted until', row.mutedUntil, muting.find(({ incident }) => incident !== null)?.until ?? null);
}

function nowFaults(now: ShownNow, expected: PlantedRow): string[] {
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
  row: ShownRow,
  episode: PlantedEpisode,
  drawnAt: number,
  pollMs: number,
  { at, checkedTo, editableSince }: CheckedMinute,
): string | null {
  const { state, relapses, now, mutedUntil } = row;
  const isLively = at - episode.lastRecordedAt <= LIVELY_MS;
  const lagMs = pollMs + WORKING_MS + REDRAWN_EVERY_MS;
  if (at - editableSince < lagMs) return null;
  const wasTrue = statesWithin(episode, at - lagMs, at).some((one) => one.state === state && one.relapses === relapses);
  if (!wasTrue)
    return `${nameOf(row)} it says ${state}, relapsed ${relapses}×; it is ${episode.state}, relapsed ${episode.relapses}×`;
  if (mutedUntil !== null && mutedUntil < at - lagMs) return `${nameOf(row)} it says muted until ${mutedUntil}`;
  const redrawnMs = isLively ? REDRAWN_EVERY_MS : CALM_REDRAWN_EVERY_MS;
  const isOpen = episode.state === 'firing' || episode.state === 'recovering';
  const mostMs = redrawnMs + pollMs + WORKING_MS;
  if (!isOpen || now === null || at - editableSince < mostMs) return null;
  const ageMs = Math.min(at, checkedTo + pollMs) - now.to;
  return ageMs > mostMs
    ? `${nameOf(row)} its now ends ${Math.round(ageMs / SECOND)} s ago, drawn at ${new Date(drawnAt).toISOString()}`
    : null;
}

function statesWithin({ history }: PlantedEpisode, from: number, to: number): PlantedEpisode['history'] {
  const first = history.findLastIndex(({ at }) => at <= from);
  return history.slice(Math.max(0, first)).filter(({ at }) => at <= to);
}

function headlineFaults(
  { needsAttention, ...shown }: ShownHeadline,
  { open, mutes }: { readonly open: readonly PlantedEpisode[]; readonly mutes: readonly PlantedMute[] },
  { isUnchecked, pending }: CheckedMinute,
): string[] {
  const failing = open.filter(({ state }) => state === 'firing').length;
  const whole = mutes.filter(({ incident }) => incident === null);
  const mutedIncidents = new Set(mutes.flatMap(({ incident }) => incident ?? [])).size;
  const mutedChannels = whole.map(({ channel, until }) => `${channel} until ${until}`).join(', ');
  const isCaughtUp = open.length + mutes.length + pending === 0;
  return [
    ...differ('headline: failing', shown.failing, failing),
    ...differ('headline: without failures', shown.quiet, open.length - failing),
    ...differ('headline: muted incidents', shown.mutedIncidents, mutedIncidents),
    ...differ('headline: muted channels', shown.mutedChannels, mutedChannels),
    ...differ('headline: pending messages', shown.pending, pending),
    ...(shown.isGreen && !isCaughtUp ? ['the headline is green'] : []),
    ...(isUnchecked && !needsAttention ? ["the headline doesn't say that not all is checked"] : []),
  ];
}
