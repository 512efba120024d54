import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import type { LastTime, Taken } from '../../../domain/incidents/last-time.ts';
import type { Note } from '../../../domain/incidents/note.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { joined, type Markup, mrkdwn, person } from '../text.ts';
import { time } from '../times.ts';

export function noteLine({ note }: Pick<IncidentNow, 'note'>, namesPeople: boolean): Markup[] {
  if (note === null) return [];
  const by = namesPeople ? mrkdwn` by ${person(note.by)}` : mrkdwn``;
  return [mrkdwn`📝 note${by}, ${time(note.at, 'day')}: ${noteWords(note)}`];
}

export function noteWords({ text }: Pick<Note, 'text'>): Markup {
  return mrkdwn`“${text}”`;
}

/** What helped when the same cause occurred before. */
export function lastTimeLine({ lastTime }: Pick<IncidentNow, 'lastTime'>, namesPeople: boolean): Markup[] {
  if (lastTime === null) return [];
  const { note, taken } = lastTime;
  const by = note === null || !namesPeople ? mrkdwn`` : mrkdwn` (${person(note.by)})`;
  const said = note === null ? [] : [mrkdwn`${noteWords(note)}${by}`];
  const took = takenWords(taken, namesPeople);
  const facts = [...said, ...(took.length === 0 ? [] : [joined(took, ', ')])];
  return [mrkdwn`📝 ${whenWords(lastTime)}: ${joined(facts, ' · ')}`];
}

function whenWords({ from, to, since }: LastTime): Markup {
  const ms = to.getTime() - from.getTime();
  const when = mrkdwn`${time(from, 'day')}${ms < 1_000 ? '' : `, ${describeDuration(ms)}`}`;
  if (since === 0) return mrkdwn`Last time (${when})`;
  return mrkdwn`Last handled outage (${when}; recovered by itself ${since === 1 ? 'once' : `${since} times`} since)`;
}

export function takenWords({ acknowledgedBy, assignedTo, resolvedBy }: Taken, namesPeople: boolean): Markup[] {
  const words = (did: string, link: string, userId: string | null) => {
    if (userId === null) return [];
    return [namesPeople ? mrkdwn`${did} ${link} ${person(userId)}` : mrkdwn`${did}`];
  };
  return [
    ...words('acknowledged', 'by', acknowledgedBy),
    ...words('assigned', 'to', assignedTo),
    ...words('resolved', 'by', resolvedBy),
  ];
}
