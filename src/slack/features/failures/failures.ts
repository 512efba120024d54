import { subMilliseconds } from 'date-fns';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentsNow } from '../../../incidents/incidents-now.ts';
import { isNotAFailure } from '../../../judging/verdict.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { HOUR_MS, lengthOf } from '../../../lib/time/durations.ts';
import { type FailuresFound, type FoundCause, findFailures, MOST_CAUSES } from '../../../lookups/failures.ts';
import { failedRequest } from '../../../service/problem-words.ts';
import type { SlackCtx } from '../../ctx.ts';
import { rowEmoji } from '../../incident-view/incident-row.ts';
import { whyText } from '../../incident-view/incident-title.ts';
import { stateWords } from '../../incident-view/incident-words.ts';
import { incidentActions, withMenu } from '../../incident-view/row-controls.ts';
import { actions, context, divider, section } from '../../kit/blocks.ts';
import { errorCard } from '../../kit/error-card.ts';
import { nextLine } from '../../kit/explanation.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { fittingMessage, type MessageContent } from '../../kit/message.ts';
import { channelVia, numberOf } from '../../kit/names.ts';
import { countedWords, failedShare, failureCount, OUTCOME_EMOJI, peopleCount } from '../../kit/outcomes.ts';
import { personal } from '../../kit/published.ts';
import { badge, joined, listed, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { atNear, timeNear, windowNear } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';
import {
  type FailureRequest,
  failureButton,
  failureCommand,
  failureShareButton,
  failuresChartButton,
} from '../../router/failure-command.ts';
import { checkedLines, noneWords, olderButton, outageRow, spanWords } from './checked-words.ts';

const ROWS_A_PAGE = 10;

export function failuresCommand(ctx: SlackCtx): Command {
  return failureCommand(ctx, {
    usualMs: HOUR_MS,
    word: 'failures',
    purpose: 'failing',
    about: 'what failed in the last hour, or since:2h, by cause',
    examples: ['', 'since:2h channel:email', 'workflow:order-shipped severity:high'],
    answer: async (request, { environment }) => {
      const summary = await findFailures({ ...ctx, environment }, request, request.filter);
      const now = ctx.now();
      const ids = causesOnPage(summary, request).map(({ incidentId }) => incidentId);
      const incidents = await incidentsNow(ctx.db, ids, null, now);
      return failuresMessage(summary, { ...ctx, incidents, request, now });
    },
  });
}

export interface FailuresOptions extends Pick<SlackCtx, 'explainCause'> {
  request: FailureRequest;
  incidents: ReadonlyMap<number, IncidentNow>;
  now: Date;
}

export function failuresMessage(summary: FailuresFound, options: FailuresOptions): MessageContent {
  const { request, now } = options;
  const { filter, page, from } = request;
  const earlier = { ...request, from: subMilliseconds(from, lengthOf(request)), to: from };
  const causes = causesOnPage(summary, request).flatMap((cause) => {
    const incident = options.incidents.get(cause.incidentId);
    return incident ? { ...cause, incident } : [];
  });
  const counted = countedWords(summary.counts);
  const offset = page?.offset ?? 0;
  const total = summary.causes.length;
  return fittingMessage(causes.length, (shown) => [
    ...outageRow(summary),
    section(headline(summary, filter, now)),
    context(
      counted.length > 0 && filter.verdicts.length === 0 && mrkdwn`Not alerted: ${joined(counted)}`,
      filterWords(filter),
      shown < total &&
        mrkdwn`Causes ${offset + 1}–${offset + shown} of ${total}${total < MOST_CAUSES ? '' : ' or more'}`,
    ),
    ...causes.slice(0, shown).flatMap((cause) => causeRow(cause, options)),
    divider(),
    context(...checkedLines(summary, now)),
    ...troubleBlocks(summary),
    ...actions([
      offset + shown < total && failureButton('Load more', 'failures', request, offset + shown),
      failuresChartButton(request),
      summary.since === null && failureButton('Earlier', 'failures', earlier),
      olderButton(summary),
      failureShareButton('failures', request, offset),
    ]).map(personal),
  ]);
}

/** Why the service couldn't be read for this answer. An outage that is known stands above. */
function troubleBlocks({ trouble, outage, environment }: FailuresFound): MessageContent['blocks'] {
  if (trouble === null || outage !== null) return [];
  return errorCard(failedRequest(trouble, environment)).blocks;
}

function causesOnPage({ causes }: FailuresFound, { page }: FailureRequest) {
  const offset = page?.offset ?? 0;
  return causes.slice(offset, offset + ROWS_A_PAGE);
}

function headline(summary: FailuresFound, filter: FailureRequest['filter'], now: Date): Markup {
  const { environment, causes, failedEvents, eventsChecked, counts } = summary;
  if (causes.length === 0) return noneWords(summary, filter, now);
  // With a filter, checked events are still counted without it.
  const hasShare = filterWords(filter) === null && failedEvents <= eventsChecked;
  const all = hasShare ? mrkdwn`${failedEvents} of ${plural(eventsChecked, 'event')}` : plural(failedEvents, 'event');
  // An event can fail at several steps, so failures can outnumber events.
  const failures = causes.reduce((sum, cause) => sum + cause.failures, 0);
  const facts = [
    failedEvents > 0 && mrkdwn`${all} failed${hasShare ? failedShare(failedEvents, eventsChecked) : ''}`,
    ...(filter.verdicts.length > 0 ? countedWords(counts) : [failures > failedEvents && plural(failures, 'failure')]),
  ];
  return mrkdwn`${failedEvents === 0 ? '⚪' : '🔴'} ${badge(environment)} ${spanWords(summary, now)}: *${joined(facts, ', ')}*`;
}

function causeRow(row: FoundCause & { incident: IncidentNow }, { explainCause, now }: FailuresOptions) {
  const { incident, workflows, verdict, firstSeen, lastSeen, example } = row;
  const { channel, provider, isTest, state } = incident;
  const emoji = isNotAFailure(verdict) ? OUTCOME_EMOJI[verdict] : rowEmoji({ ...incident, verdict });
  const span = { from: firstSeen, to: lastSeen };
  const nameOf = ({ name }: { name: string }) => named(maskedId(name));
  const counted = [
    mrkdwn`${emoji} *${`${channelVia(channel, provider)}: ${whyText(incident)}`}*`,
    failureCount(verdict, row.failures),
    peopleCount(row.subscribers),
  ];
  if (!isNotAFailure(verdict) && state.is === 'resolved') {
    const facts = [...counted, mrkdwn`resolved ${atNear(state.at, now)}`, numberOf(incident.id)];
    return [divider(), withMenu(section(joined(facts)), incident)];
  }
  const facts = [
    ...counted,
    ...(workflows.length === 1 ? workflows.map(nameOf) : []),
    lengthOf(span) < 1_000 ? timeNear(firstSeen, now, 'seconds') : windowNear(now)(span),
    row.critical && 'critical',
    isTest && 'test',
    numberOf(incident.id),
  ];
  const places = workflows.map((workflow) => mrkdwn`${nameOf(workflow)} ${workflow.failures}`);
  const lines = [
    joined(facts),
    ...stateWords(incident),
    nextLine(explainCause(incident), incident.attempts, incident.worst),
    workflows.length > 1 && listed(places, ' · '),
  ];
  return [divider(), section(lines), incidentActions({ ...incident, example })];
}
