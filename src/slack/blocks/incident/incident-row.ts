import type { KnownBlock } from '@slack/types';
import type { ExplainedCause } from '../../../domain/causes/explain-cause.ts';
import { isOverIn } from '../../../domain/incidents/incident.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { section } from '../blocks.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { causeLine } from './cause-words.ts';
import { changedBeforeLine } from './changed-before.ts';
import { exampleLine, groupCause } from './group-words.ts';
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
import { sharedLabelLine } from './shared-label-words.ts';
import { stateLines, stateWords } from './state-words.ts';
import { trendWord } from './trend.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

export interface IncidentRowOptions {
  /** The watch's message that contains the row, which its menu refers to; null for a row elsewhere. */
  readonly messageId: string | null;
  /** Shown beside its title: why it's listed, or its environment. */
  readonly beside: Markup | null;
  /** Whether people are named by a mention. In a new message that would notify them. */
  readonly namesPeople: boolean;
  /** The meaning of the row's error. Null if it isn't shown: room is scarce, or people have already read it elsewhere. */
  readonly cause: ExplainedCause | null;
  /** Leaves out optional lines when room is scarce. */
  readonly isTerse: boolean;
  /** Nobody redraws it: it gives times, since ages would go on without it. */
  readonly isSnapshot?: boolean;
  /** Shows a transaction and its subscriber. A person's Home tab doesn't. */
  readonly hasExample?: boolean;
}

/**
 * Builds an incident's row: what fails, why, in which workflows, its current state, the totals since it began, an example, people's
 * actions, and buttons. All messages show incidents this way.
 */
export function incidentRow(now: IncidentNow, options: IncidentRowOptions): KnownBlock[] {
  return [section(incidentText(now, options)), incidentActions(now, options.messageId, options.isTerse)];
}

/** Builds the row's text, without its buttons. */
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

/** Builds a resolved incident's lines, fewer because no one has to act on it. */
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

/** Builds the title. Commands refer to the incident by the number at its end. */
function titleLine(title: Markup, { episodeId }: IncidentNow, beside: Markup | null): Markup {
  return joined([title, ...(beside === null ? [] : [beside]), mrkdwn`#${String(episodeId)}`], ' · ');
}

/** Describes the incident in a sentence without its full stop, for the fallback text. */
export function incidentSentence(now: IncidentNow, beside: Markup | null): Markup {
  const trend = isOverIn(now.state.is) ? '' : trendWord(now.lately, now.tally.firstSeen);
  const course = trend === '' ? [] : [mrkdwn`${trend}`];
  return joined([incidentWords(now), ...(beside === null ? [] : [beside]), ...course, ...stateWords(now)], ', ');
}
