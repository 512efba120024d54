import type { Verdict } from '../../../domain/failures/verdict.ts';
import type { IncidentNow, IncidentPart } from '../../../domain/incidents/incident-now.ts';
import { maskedId } from '../../../domain/text/shown-id.ts';
import { bold, joined, type Markup, mrkdwn, named, plural } from '../text.ts';
import { time, timeNear } from '../times.ts';
import { channelName, channelVia, providerName } from './channel-name.ts';
import { FEWEST_FOR_PERCENT, groupCount, groupTitle, marks, percent, workflowName } from './group-words.ts';
import { trendBars, trendWord } from './trend.ts';
import { capitalised, failureCount, outcomeCount } from './verdict-word.ts';

/**
 * An event that failed on one channel and succeeded on another failed partly, but an incident is about one channel:
 * it's as severe as a failure if it is critical, or if attempts fail more often than not.
 */
export function shownVerdict({ tally, lately }: Pick<IncidentNow, 'tally' | 'lately'>): Verdict {
  const { failures, attempts } = lately;
  const failsMostly = attempts !== null && attempts >= FEWEST_FOR_PERCENT && failures * 2 > attempts;
  return tally.verdict === 'partly-failed' && (tally.critical || failsMostly) ? 'failed' : tally.verdict;
}

export function incidentTitle({ tally, parts, moreParts, state }: IncidentNow): Markup {
  const workflows = parts.length + moreParts;
  if (workflows < 2) return groupTitle(tally);
  const { channel, provider } = tally.group;
  const [fires, fired] =
    tally.verdict === 'warning' ? ['has warnings in', 'had warnings in'] : ['is failing in', 'failed in'];
  const fails = state.is === 'firing' ? fires : fired;
  return mrkdwn`*${named(channelVia(channel, provider))} ${fails} ${plural(workflows, 'workflow')}*${marks(tally)}`;
}

/** For rows and forms that stand alone: in a digest and on Home its label says so. */
export function environmentName({ tally }: Pick<IncidentNow, 'tally'>): Markup {
  return bold(tally.group.environment);
}

export function incidentHeading(now: IncidentNow): Markup {
  return mrkdwn`${incidentTitle(now)} · ${environmentName(now)} · #${String(now.episodeId)}`;
}

export function incidentWords({ tally, parts, moreParts }: IncidentNow): Markup {
  const { group, failures, verdict } = tally;
  const via = group.provider === null ? '' : ` via ${providerName(group.provider)}`;
  const workflows = parts.length + moreParts;
  const what = workflows < 2 ? named(maskedId(group.workflow ?? 'a deleted workflow')) : plural(workflows, 'workflow');
  return mrkdwn`${named(`${capitalised(channelName(group.channel))}${via}`)}, ${what}: ${outcomeCount(verdict, failures)}, ${group.cause.text}`;
}

export function partsLine({ parts, moreParts }: IncidentNow): Markup[] {
  if (parts.length + moreParts < 2) return [];
  const more = moreParts === 0 ? [] : [mrkdwn`${plural(moreParts, 'more workflow')}`];
  return [joined([...parts.map(partWords), ...more], ' · ')];
}

function partWords({ tally, share }: IncidentPart, index: number): Markup {
  const noun = index === 0 ? ' events' : '';
  const count = share === null ? mrkdwn`${tally.events}` : mrkdwn`${share.failed} of ${share.of}`;
  return mrkdwn`${named(workflowName(tally))} ${count}${noun}${tally.critical ? ' (critical)' : ''}`;
}

/** The time range comes first, so that the line stays true whenever it's read. */
export function latelyLine(now: IncidentNow, isTerse: boolean, last: 'ago' | 'seconds'): Markup {
  const { lately, tally, asOf } = now;
  const curve = trendWord(lately, tally.firstSeen);
  const trend = curve === '' ? [] : [mrkdwn`${trendBars(lately)} ${curve}`];
  const at = (one: Date) => (last === 'ago' ? time(one, 'ago') : timeNear(one, asOf, last));
  const failure = isTerse
    ? []
    : [mrkdwn`last ${tally.verdict === 'warning' ? 'warning' : 'failure'} ${at(tally.lastSeen)}`];
  const success = isTerse || lately.lastSuccessAt === null ? [] : [mrkdwn`last success ${at(lately.lastSuccessAt)}`];
  const facts = [attemptsWords(now), ...trend, ...failure, ...success];
  return mrkdwn`Now (5 min to ${timeNear(lately.window.to, asOf, 'minute')}): ${joined(facts, ' · ')}`;
}

function attemptsWords({ tally, lately: { failures, attempts } }: IncidentNow): Markup {
  if (attempts === null) return failureCount(tally.verdict, failures);
  if (attempts === 0) return mrkdwn`nothing attempted`;
  const of = mrkdwn`${failures === 0 ? 'none' : failures} of ${plural(attempts, 'attempt')} failed`;
  return attempts < FEWEST_FOR_PERCENT || failures === 0 || failures > attempts
    ? of
    : mrkdwn`${of} (${percent(failures, attempts)})`;
}

export function sinceLine({ tally, parts, moreParts, asOf }: IncidentNow, isTerse = false): Markup {
  const share = isTerse || parts.length + moreParts > 1 ? null : (parts[0]?.share ?? null);
  const part = share === null ? [] : [mrkdwn`${share.failed} of its ${plural(share.of, 'event')}`];
  const facts = [groupCount(tally), ...part, plural(tally.subscribers, 'subscriber')];
  return mrkdwn`Since ${timeNear(tally.firstSeen, asOf, 'seconds')}: ${joined(facts, ' · ')}`;
}

export function relapsedMark({ relapses }: IncidentNow): Markup {
  if (relapses === 0) return mrkdwn``;
  return relapses === 1 ? mrkdwn` · relapsed` : mrkdwn` · relapsed ${relapses}×`;
}
