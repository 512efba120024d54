import type { KnownBlock } from '@slack/types';
import type { ExplainedCause } from '../../../domain/causes/explain-cause.ts';
import type { ChangeBefore } from '../../../domain/changes/changed-before.ts';
import { isOverIn } from '../../../domain/incidents/incident.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { section } from '../blocks.ts';
import { idCode } from '../shown-id.ts';
import { joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { causeLine } from './cause-words.ts';
import { changedWords } from './change-words.ts';
import { exampleLine, groupCause, percent } from './group-words.ts';
import { incidentActions } from './incident-menu.ts';
import {
  incidentTitle,
  incidentWords,
  latelyLine,
  partsLine,
  relapsedMark,
  shownVerdict,
  sinceLine,
} from './incident-words.ts';
import { lastTimeLine, noteLine } from './last-time.ts';
import { stateLines, stateWords } from './state-words.ts';
import { trendWord } from './trend.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

export interface IncidentRowOptions {
  /** The watch's message that contains the row; null for a row elsewhere. */
  readonly messageId: string | null;
  /** Why it's listed, or its environment. */
  readonly beside: Markup | null;
  /** By a mention, which in a new message would notify them. */
  readonly namesPeople: boolean;
  /** Null if room is scarce, or people have already read it elsewhere. */
  readonly cause: ExplainedCause | null;
  readonly isTerse: boolean;
  /** Nobody redraws it: it gives times, since ages would go on without it. */
  readonly isSnapshot?: boolean;
  /** A transaction and its subscriber, which a person's Home tab doesn't show. */
  readonly hasExample?: boolean;
}

export function incidentRow(now: IncidentNow, options: IncidentRowOptions): KnownBlock[] {
  return [section(incidentText(now, options)), incidentActions(now, options.messageId, options.isTerse)];
}

export function incidentText(now: IncidentNow, options: Omit<IncidentRowOptions, 'messageId'>): Markup {
  return joined(now.state.is === 'resolved' ? resolvedLines(now, options) : openLines(now, options), '\n');
}

function openLines(
  now: IncidentNow,
  {
    beside,
    cause,
    isTerse,
    namesPeople,
    isSnapshot = false,
    hasExample = !isTerse,
  }: Omit<IncidentRowOptions, 'messageId'>,
): Markup[] {
  const { tally, state } = now;
  const emoji = state.is === 'recovering' ? '⚪' : VERDICT_EMOJI[shownVerdict(now)];
  return [
    titleLine(mrkdwn`${emoji} ${incidentTitle(now)}${relapsedMark(now)}`, now, beside),
    groupCause(tally),
    ...(cause === null || isOverIn(state.is) ? [] : causeLine(cause)),
    ...(isTerse ? [] : partsLine(now)),
    ...(isTerse ? [] : changedBeforeLine(now)),
    ...(isTerse ? [] : sharedLabelLine(now)),
    latelyLine(now, isTerse, isSnapshot ? 'seconds' : 'ago'),
    sinceLine(now, isTerse),
    ...(isTerse ? [] : lastTimeLine(now, namesPeople)),
    ...(hasExample ? [exampleLine(tally.example)] : []),
    ...stateLines(now, namesPeople),
    ...(isTerse ? [] : noteLine(now, namesPeople)),
  ];
}

/** Fewer lines, because no one has to act on it. */
function resolvedLines(
  now: IncidentNow,
  { beside, namesPeople, isTerse }: Omit<IncidentRowOptions, 'messageId'>,
): Markup[] {
  return [
    titleLine(mrkdwn`✅ ${incidentTitle(now)}${relapsedMark(now)}`, now, beside),
    joined(stateLines(now, namesPeople), ' · '),
    mrkdwn`${sinceLine(now)} · ${groupCause(now.tally)}`,
    ...(isTerse ? [] : noteLine(now, namesPeople)),
  ];
}

/** Commands refer to the incident by the number at its end. */
function titleLine(title: Markup, { episodeId }: IncidentNow, beside: Markup | null): Markup {
  return joined([title, ...(beside === null ? [] : [beside]), mrkdwn`#${String(episodeId)}`], ' · ');
}

/** For the fallback text, without its full stop. */
export function incidentSentence(now: IncidentNow, beside: Markup | null): Markup {
  const trend = isOverIn(now.state.is) ? '' : trendWord(now.lately, now.tally.firstSeen);
  const course = trend === '' ? [] : [mrkdwn`${trend}`];
  return joined([incidentWords(now), ...(beside === null ? [] : [beside]), ...course, ...stateWords(now)], ', ');
}

function sharedLabelLine({ shared }: Pick<IncidentNow, 'shared'>): Markup[] {
  if (shared === null) return [];
  const { label, events, of, usually, isOfNewest } = shared;
  const count = events === of ? (isOfNewest ? 'All of' : 'All') : `${events} of`;
  const failed = mrkdwn`${isOfNewest ? 'the last ' : ''}${plural(of, 'failed event')}`;
  return [
    mrkdwn`🏷️ ${count} ${failed}: ${label.kind} ${idCode(label.value, 'everyone')} (${percent(usually, 1)} of all events)`,
  ];
}

/** None where no change may explain it. */
function changedBeforeLine({ changedBefore, tally }: Pick<IncidentNow, 'changedBefore' | 'tally'>): Markup[] {
  if (changedBefore === null) return [];
  const { what, moreDeploys } = changedBefore;
  const more = moreDeploys === 0 ? [] : [mrkdwn`${plural(moreDeploys, 'more deploy')} in the half hour before it`];
  return [joined([changedWords(what), whenWords(changedBefore, tally.firstSeen), ...more], ' · ')];
}

function whenWords({ at, after }: ChangeBefore, firstFailure: Date): Markup {
  if (at > firstFailure) return mrkdwn`between ${time(after)} and ${time(at)}, around the first failure`;
  const before = (moment: Date) => describeDuration(firstFailure.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before the first failure`;
}
