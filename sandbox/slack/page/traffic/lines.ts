import type { TrafficLine, TrafficProblem } from '../../traffic/traffic-protocol.ts';

export const FILTERS = ['All', 'Refused', 'Calls', 'Envelopes', 'Connections'] as const;
export type Filter = (typeof FILTERS)[number];

/** As many as the local Slack stores. */
const KEPT = 500;

/** Merges news into the known lines: the latest version of each line, in order of ID, the newest 500. */
export function withNews(known: readonly TrafficLine[], news: readonly TrafficLine[]): readonly TrafficLine[] {
  const byId = new Map([...known, ...news].map((line) => [line.id, line]));
  return [...byId.values()].sort((one, other) => one.id - other.id).slice(-KEPT);
}

/** Returns the lines that match a filter, newest first. A missing acknowledgment or lost answer counts as refused. */
export function shownLines(lines: readonly TrafficLine[], filter: Filter): readonly TrafficLine[] {
  return lines.filter(passes[filter]).toReversed();
}

const passes: Readonly<Record<Filter, (line: TrafficLine) => boolean>> = {
  All: () => true,
  Refused: ({ outcome }) => ['refused', 'never acknowledged', 'lost'].includes(outcome.is),
  Calls: ({ kind }) => kind === 'call',
  Envelopes: ({ kind }) => kind === 'envelope',
  Connections: ({ kind }) => kind === 'connection',
};

/** Describes the outcome in a word or two; '' if there is nothing to say. */
export function outcomeText({ outcome }: TrafficLine): string {
  switch (outcome.is) {
    case 'accepted':
      return 'ok';
    case 'acknowledged':
      return `acknowledged in ${Math.round(outcome.afterMs)} ms`;
    case 'refused':
      return [outcome.error, outcome.hint, firstOf(outcome.problems)].filter((part) => part !== null).join(': ');
    case 'never acknowledged':
      return `never acknowledged: ${outcome.error}`;
    case 'lost':
      return 'answer lost';
    case 'waiting':
      return 'waiting …';
    case 'noted':
      return '';
  }
}

/** Returns the first problem with its place, and the number of the others. Null if Slack names none. */
function firstOf([first, ...others]: readonly TrafficProblem[]): string | null {
  if (first === undefined) return null;
  const place = first.pointer === null ? '' : ` at ${first.pointer}`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${first.message}${place}${more}`;
}

/** Returns whether the outcome is good, bad, or still open. */
export function moodOf({ outcome }: TrafficLine): 'good' | 'bad' | 'open' {
  switch (outcome.is) {
    case 'accepted':
    case 'acknowledged':
      return 'good';
    case 'refused':
    case 'never acknowledged':
    case 'lost':
      return 'bad';
    case 'waiting':
    case 'noted':
      return 'open';
  }
}
