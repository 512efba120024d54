import { compareAsc, min } from 'date-fns';
import type { AlertPost } from '../../../alerts/digest-says.ts';
import type { EnvironmentChange } from '../../../changes/change.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { TimelineEntry } from '../../../incidents/timeline.ts';
import { describeDuration, lengthOf, MINUTE_MS, type TimeRange } from '../../../lib/time/durations.ts';
import { changedWords } from '../../incident-view/changed-words.ts';
import { entryWords } from '../../incident-view/entry-words.ts';
import { titleText } from '../../incident-view/incident-title.ts';
import { totalFailures } from '../../incident-view/incident-words.ts';
import { numberOf } from '../../kit/names.ts';
import { atLeast, failureCount } from '../../kit/outcomes.ts';
import { shownText } from '../../kit/rich-text.ts';
import { joined, type Line, type Markup, mrkdwn, named } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

/** What is known of an incident when its timeline is written. */
export interface Timeline {
  incident: IncidentNow;
  environment: { label: string };
  entries: readonly TimelineEntry[];
  posts: readonly AlertPost[];
  changes: readonly EnvironmentChange[];
  /** When it was sent again, and how many of it were delivered by now. */
  resends: readonly { at: Date; delivered: number }[];
  /** Of people and of public channels, by their IDs. */
  names: ReadonlyMap<string, string>;
}

type Change = NonNullable<TimelineEntry['change']>;
type Failing = Extract<Change, { action: 'began' | 'back' | 'failing-again' }>;
type Counted = TimeRange & Pick<IncidentNow, 'failures' | 'subscribers' | 'isAtLeast'>;

/** An entry that was recorded this long after it happened says when it was found. */
const FOUND_LATE_MS = 5 * MINUTE_MS;

interface Happened {
  at: Date;
  /** Null: the timeline has no line for it. */
  words: Line;
}

/** A line for each thing that happened, in UTC, below the incident and how long and how bad it was. */
export function timelineLines(timeline: Timeline): readonly string[] {
  const { incident, environment, entries, posts, names } = timeline;
  const happened: readonly Happened[] = [
    ...entries.map((entry) => happenedIn(entry, timeline)),
    ...posts.map((post) => ({ at: post.at, words: postWords(post, names) })),
  ];
  const inOrder = happened.filter(({ words }) => words !== null).toSorted((a, b) => compareAsc(a.at, b.at));
  let day = dayOf(inOrder[0]?.at ?? incident.beganAt);
  const heading = mrkdwn`${numberOf(incident.id)} ${titleText(incident)} · ${environment.label} · ${day}, UTC`;
  const lines = inOrder.flatMap(({ at, words }) => {
    const line = mrkdwn`${at.toISOString().slice(11, 19)} ${joined([words])}`;
    if (dayOf(at) === day) return [line];
    day = dayOf(at);
    return [mrkdwn`${day}`, line];
  });
  return [heading, summaryOf(incident), ...lines].map((line) => withNames(shownText(line), names));
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const withNames = (text: string, names: Timeline['names']): string =>
  text.replace(/@([UW][A-Z0-9]+)/g, (word, id: string) => names.get(id) ?? word);

/** 'still failing · 12 min in 2 outbreaks · 37 failures' */
function summaryOf(incident: IncidentNow): Markup {
  const { kind, verdict, earlier, beganAt, lastAt, asOf, state } = incident;
  // What fails has failed up to its last failure: up to now, its end would take some of it back.
  const current = { from: beganAt, to: state.is === 'firing' && kind !== 'failures' ? asOf : lastAt };
  const ms = [...earlier, current].reduce((sum, outbreak) => sum + lengthOf(outbreak), 0);
  const count = earlier.length + 1;
  const hasFailures = kind === 'failures';
  return joined([
    state.is !== 'resolved' && (state.is === 'firing' ? 'still failing' : 'not over yet'),
    joined([describeDuration(ms), count > 1 && mrkdwn`in ${count} outbreaks`], ' '),
    hasFailures && failureCount(verdict, totalFailures(incident)),
    hasFailures && count === 1 && atLeast(incident),
  ]);
}

function happenedIn(entry: TimelineEntry, timeline: Timeline): Happened {
  const { at, actor, change } = entry;
  if (change === null || change.action === 'followed' || change.action === 'unfollowed') return { at, words: null };
  if (change.action === 'change-nearby') {
    const nearby = timeline.changes.find(({ id }) => id === change.change);
    return { at: change.changedAt, words: nearby ? changedWords(nearby.what) : '⚙️ Something was changed' };
  }
  if (change.action === 'began' || change.action === 'back' || change.action === 'failing-again')
    return failedAgainOrFirst(entry, change, timeline.incident);
  // A condition has no messages that arrive again.
  if (change.action === 'recovering' && timeline.incident.kind !== 'failures') return { at, words: '⚪ Recovering' };
  const words = entryWords(change, actor, at, false);
  const added = addedWords(entry, change, timeline);
  return { at, words: added === null ? words : mrkdwn`${words}${added}` };
}

/** It is dated when it failed, which can be earlier than Notif found it. */
function failedAgainOrFirst(entry: TimelineEntry, change: Failing, incident: IncidentNow): Happened {
  const failedAt = min([change.failedAt, ...beginningOf(entry, incident)]);
  const isLate = lengthOf({ from: failedAt, to: entry.at }) >= FOUND_LATE_MS;
  const began = incident.kind === 'failures' ? 'First failure' : 'Began';
  const titles = { began, back: 'Back', 'failing-again': 'Failing again' };
  const { workflow = null, critical = false } = change.action === 'failing-again' ? {} : change;
  const name = workflow === null ? '' : mrkdwn` (${named(workflow)})`;
  const facts = [
    mrkdwn`🔴 ${titles[change.action]}${name}`,
    critical && 'critical',
    isLate && mrkdwn`found at ${time(entry.at, 'seconds')}`,
  ];
  return { at: failedAt, words: joined(facts, ', ') };
}

/** What the timeline knows beyond the entry: how long, how many, where. */
function addedWords(entry: TimelineEntry, change: Change, timeline: Timeline): Markup | null {
  const { incident, entries, resends, names } = timeline;
  switch (change.action) {
    case 'acknowledged': {
      const began = entries.find((other) => other.outbreak === entry.outbreak && isBeginning(other));
      return began ? mrkdwn` (${describeDuration(lengthOf({ from: began.at, to: entry.at }))})` : null;
    }
    case 'ended':
      return mrkdwn` · ${countsOf(incident, change)}`;
    case 'resolved': {
      // One that was reopened since ended nothing, and an older outbreak's counts aren't the incident's.
      const last = entries.findLast((other) => other.change?.action === 'resolved');
      const isEnd = entry === last && entry.outbreak === incident.outbreak && incident.state.is === 'resolved';
      const range = { from: incident.beganAt, to: incident.lastAt };
      return isEnd ? mrkdwn` · ${countsOf(incident, { ...incident, ...range })}` : null;
    }
    case 'sent-again': {
      const resend = resends.find(({ at }) => at.getTime() === entry.at.getTime());
      return resend ? mrkdwn`: ${resend.delivered} of ${change.notifications} got it` : null;
    }
    case 'found-later': {
      const [from] = entry.outbreak === incident.outbreak ? [] : beginningOf(entry, incident);
      return from ? mrkdwn`, in the outbreak of ${time(from)}` : null;
    }
    default: {
      const channel = mutedIn(entry);
      return channel === null ? null : mrkdwn` in ${channelName(channel, names)}`;
    }
  }
}

/** The channel whose watches the entry mutes, or unmutes. */
export const mutedIn = ({ change, channel }: TimelineEntry): string | null =>
  change?.action === 'incident-muted' || change?.action === 'incident-unmuted' ? channel : null;

/** When the entry's outbreak began: with its first failure, which isn't always recorded first. Empty if that isn't known. */
function beginningOf({ outbreak, change }: TimelineEntry, { earlier, beganAt, outbreak: newest }: IncidentNow): Date[] {
  if (change?.action === 'failing-again' || outbreak === null) return [];
  if (outbreak === newest) return [beganAt];
  // `earlier` ends with the outbreak just before the newest.
  const range = earlier[earlier.length - (newest - outbreak)];
  return range === undefined ? [] : [range.from];
}

const isBeginning = ({ change }: TimelineEntry): boolean => change?.action === 'began' || change?.action === 'back';

function countsOf({ kind, verdict }: IncidentNow, counted: Counted): Markup {
  const hasFailures = kind === 'failures';
  return joined([
    describeDuration(lengthOf(counted)),
    hasFailures && failureCount(verdict, counted.failures),
    hasFailures && atLeast(counted),
  ]);
}

function channelName(channel: string, names: Timeline['names']): Markup {
  const name = names.get(channel);
  return name === undefined ? mrkdwn`a private channel` : mrkdwn`#${name}`;
}

function postWords({ channel, mentions, isEscalation }: AlertPost, names: Timeline['names']): Line {
  const where = channelName(channel, names);
  if (isEscalation) return mrkdwn`⏰ Not acknowledged: told in ${where}`;
  return mrkdwn`📣 Alerted in ${where}${mentions ? ', with the mention' : ''}`;
}
