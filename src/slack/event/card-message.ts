import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import { dashboardLink } from '../../domain/environment.ts';
import { explainServiceProblem } from '../../domain/health/explain.ts';
import { isDelivery } from '../../domain/service/event.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { MASK } from '../../domain/text/mask.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import { targetOf } from '../../lookups/event.ts';
import { outcomeOf } from '../../lookups/outcome.ts';
import type { SeenEvent } from '../../lookups/seen.ts';
import { type ListedEvent, listedEvent } from '../../lookups/transaction.ts';
import { badge } from '../blocks/badge.ts';
import {
  actions,
  button,
  context,
  divider,
  folded,
  linkButton,
  type MessageContent,
  message,
  section,
} from '../blocks/blocks.ts';
import { lookUpButton, SEND_AGAIN, writeLookup } from '../blocks/buttons.ts';
import { firstOf } from '../blocks/first-of.ts';
import { fitCount } from '../blocks/fit.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { incidentMention } from '../blocks/incident/incident-mention.ts';
import {
  capitalised,
  notShownReason,
  OUTCOME_EMOJI,
  OUTCOME_WORDS,
  outcomeWord,
} from '../blocks/incident/verdict-word.ts';
import { MOST_CHILDREN } from '../blocks/limits.ts';
import { audienceOf, canShare, type Reader, sharedLine } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time, timeNear } from '../blocks/times.ts';
import { messageBlocks, messagesProblem } from './messages-of-event.ts';
import { storyRows } from './timeline-message.ts';

/** All but `DASHBOARD` carry a `LookupRequest`. */
export const SHARE = 'event.share';
export const REFRESH = 'event.refresh';
export const RAW = 'event.raw';
export const DASHBOARD = 'event.dashboard';

/** Shows nothing of the payload; contacts are already masked. `incidents`: those that the event is part of. */
export function eventCard(found: SeenEvent, reader: Reader, incidents: readonly IncidentNow[]): MessageContent {
  const lines = headlines(found, audienceOf(reader));
  const rows = storyRows(found);
  const foot = [
    ...mergedInto(found, audienceOf(reader)),
    ...mergedHere(found, reader),
    ...messagesProblem(found),
    divider(),
    ...who(found, audienceOf(reader)),
    details(found, reader),
    ...unreadable(found),
    ...incidents.map((now) => incidentMention(now, mrkdwn`Part of incident`)),
    ...actions(buttons(found, reader)),
    ...sharedLine(reader),
  ];
  const { blocks } = fitCount(Math.min(rows.length, MOST_STEPS + MOST_CHILDREN), (shown) => [
    section(joined(lines, '\n')),
    divider(),
    ...rows.slice(0, Math.min(shown, MOST_STEPS)),
    ...furtherSteps(rows.slice(MOST_STEPS, shown)),
    ...moreSteps(rows.length - shown, reader),
    ...foot,
  ]);
  return message(joined(lines, '. '), blocks);
}

/** Those that aren't folded, the trigger included. */
const MOST_STEPS = 10;

function furtherSteps(rows: readonly SectionBlock[]): KnownBlock[] {
  return rows.length === 0 ? [] : [folded(`${plural(rows.length, 'further step')}`, rows)];
}

function moreSteps(left: number, reader: Reader): KnownBlock[] {
  if (left === 0) return [];
  return [context(mrkdwn`… and ${plural(left, 'more step')}${reader.is === 'channel' ? '' : ' · [View raw]'}`)];
}

function mergedInto({ environment, event }: SeenEvent, audience: Audience): KnownBlock[] {
  if (event.mergedInto === null) return [];
  const request = { environment: environment.name, target: { kind: 'event', id: event.mergedInto } } as const;
  return [
    section(
      mrkdwn`Merged by a digest into ${idCode(event.mergedInto, audience)}`,
      lookUpButton(request, 'Look that up'),
    ),
  ];
}

function mergedHere(found: SeenEvent, reader: Reader): KnownBlock[] {
  const { merged, environment } = found;
  if (merged === null) return [];
  if (!merged.read) {
    const { what } = explainServiceProblem(merged.error, environment);
    return [context(mrkdwn`What its digest merged is missing here. ${what}`)];
  }
  const { items, hasMore } = merged;
  if (items.length === 0) return hasMore ? [context(MAYBE_MERGED)] : [];
  const title = mrkdwn`Its digest merged ${plural(items.length, 'other event')}${hasMore ? ' or more' : ''} into this one`;
  if (reader.is === 'channel') return [section(title)];
  const rows = items.map(({ event, judgement }) => eventRow(listedEvent(event, judgement), environment.name));
  const shown = rows.length > MOST_CHILDREN ? rows.slice(0, MOST_CHILDREN - 1) : rows;
  const left = rows.length - shown.length;
  return [folded(`${title}`, [...shown, ...(left === 0 ? [] : [context(mrkdwn`… and ${left} more`)])])];
}

const MAYBE_MERGED = mrkdwn`Its digest may have merged other events: not all of its subscriber's could be read here.`;

function who({ event }: SeenEvent, audience: Audience): KnownBlock[] {
  const { subscriber } = event;
  const contacts = [subscriber?.initials, subscriber?.maskedEmail, subscriber?.maskedPhone].filter(
    (one) => typeof one === 'string',
  );
  const whom =
    subscriber === null
      ? []
      : [mrkdwn`Subscriber ${joined([idCode(subscriber.subscriberId, audience), ...contacts.map(named)], ' · ')}`];
  return [context(joined([...whom, mrkdwn`Transaction ${idCode(event.transactionId, audience)}`], '   '))];
}

function details(found: SeenEvent, reader: Reader): KnownBlock {
  const { event } = found;
  const facts = context(joined([...traits(event, audienceOf(reader)), ...timesOf(event)], '   '));
  return folded('Details', [facts, ...messageBlocks(found, reader)]);
}

const PART_WORDS: Readonly<Record<string, string>> = {
  jobs: 'step',
  'jobs.executionDetails': 'execution detail',
  'jobs.step.filters': 'condition',
  topics: 'topic',
};

function unreadable({ event }: SeenEvent): KnownBlock[] {
  if (event.unreadable.length === 0) return [];
  const counts = new Map<string, number>();
  for (const part of event.unreadable) counts.set(part, (counts.get(part) ?? 0) + 1);
  const parts = [...counts].map(([part, count]) => {
    const word = PART_WORDS[part];
    return word === undefined ? mrkdwn`${part}` : plural(count, word);
  });
  return [
    context(
      mrkdwn`⚠️ Couldn't be read, because the answer isn't as the contract says: ${joined(parts.slice(0, MOST_PARTS), ', ')}`,
    ),
  ];
}

const MOST_PARTS = 10;

function timesOf({ createdAt, updatedAt }: SeenEvent['event']): Markup[] {
  const hasChanged = createdAt !== null && updatedAt !== null && updatedAt.getTime() - createdAt.getTime() >= 1000;
  return [
    mrkdwn`Received ${time(createdAt, 'day')}`,
    ...(hasChanged ? [mrkdwn`Last change ${timeNear(updatedAt, createdAt)}`] : []),
  ];
}

const MOST_NAMES = 3;

function traits(event: SeenEvent['event'], audience: Audience): Markup[] {
  const { workflow, severity, critical, tags, topicKeys, contextKeys, id } = event;
  return [
    ...(workflow === null || workflow.name === workflow.identifier
      ? []
      : [mrkdwn`Workflow ${named(shownId(workflow.name, audience))}`]),
    ...(severity === null ? [] : [mrkdwn`Severity ${named(severity)}`]),
    ...(critical ? [mrkdwn`Critical`] : []),
    ...names('Tags', tags, audience),
    ...names('Topics', topicKeys, audience),
    ...names('Contexts', contextKeys, audience),
    ...(id === null ? [] : [mrkdwn`Event ${idCode(id, audience)}`]),
  ];
}

function names(label: string, all: readonly string[], audience: Audience): Markup[] {
  const codes = all.map((name) => idCode(name, audience));
  return all.length === 0 ? [] : [mrkdwn`${label} ${joined(firstOf(codes, MOST_NAMES), ', ')}`];
}

function buttons({ environment, event }: SeenEvent, reader: Reader): Button[] {
  const request = { environment: environment.name, target: targetOf(event) };
  if (reader.is === 'channel') return isWhole(event) ? [lookUpButton(request)] : [];
  const value = writeLookup(request);
  const link = dashboardLink(environment, event);
  return [
    ...(canShare(reader) ? [button('Share', SHARE, value)] : []),
    button('Refresh', REFRESH, value),
    button('Send again', SEND_AGAIN, value),
    button('View raw', RAW, value),
    ...(link === null ? [] : [linkButton('Dashboard', DASHBOARD, link)]),
  ];
}

/** A masked transaction ID finds nothing. */
function isWhole({ id, transactionId }: SeenEvent['event']): boolean {
  return id !== null || !transactionId.includes(MASK);
}

function eventRow(listed: ListedEvent, environment: string): SectionBlock {
  const target = targetOf({ id: listed.eventId, transactionId: listed.transactionId });
  return section(eventLine(listed), lookUpButton({ environment, target }));
}

function eventLine({ outcome, subscriberId, createdAt, cause }: ListedEvent): Markup {
  const whom = subscriberId === null ? mrkdwn`(no subscriber)` : code(subscriberId);
  const why = cause === null ? mrkdwn`` : mrkdwn`\n${channelVia(cause.channel, cause.provider)}: ${cause.text}`;
  return mrkdwn`${outcomeWord(outcome)} · ${whom} · ${time(createdAt, 'day')}${why}`;
}

const MOST_CHANNELS = 8;

function headlines(found: SeenEvent, audience: Audience): Markup[] {
  return [headline(found, audience), reasonLine(found), ...channelsLine(found)];
}

function headline({ environment, event, judgement }: SeenEvent, audience: Audience): Markup {
  const outcome = outcomeOf(event, judgement);
  const words = mrkdwn`${OUTCOME_EMOJI[outcome]} *${capitalised(OUTCOME_WORDS[outcome])}*`;
  return mrkdwn`${badge(environment)} · ${words} · ${subject(event, audience)}`;
}

function subject({ workflow, subscriber }: SeenEvent['event'], audience: Audience): Markup {
  const whom = subscriber === null ? mrkdwn`(no subscriber)` : mrkdwn`for ${idCode(subscriber.subscriberId, audience)}`;
  return mrkdwn`*${named(shownId(workflow?.identifier ?? 'deleted workflow', audience))}* ${whom}`;
}

function reasonLine({ event, judgement }: SeenEvent): Markup {
  if (outcomeOf(event, judgement) === 'not-shown') return mrkdwn`${capitalised(notShownReason(event))}.`;
  const failure = judgement.failures.find(({ verdict }) => verdict === judgement.verdict);
  if (failure === undefined) return mrkdwn`${capitalised(waitingFor(judgement) ?? judgement.reason)}.`;
  return mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

function waitingFor({ verdict, steps }: SeenEvent['judgement']): string | null {
  const waiting = verdict === 'in-progress' ? steps.find(({ job }) => job.status === 'delayed') : undefined;
  return waiting === undefined ? null : `waiting at the ${channelName(waiting.job.type)} step`;
}

function channelsLine({ event, judgement }: SeenEvent): Markup[] {
  const sent = judgement.steps.filter(({ job }) => isDelivery(job));
  if (sent.length < 2) return [];
  const words = sent.map(
    (step) =>
      `${channelName(step.job.type)} ${step.job.status === 'merged' ? 'merged' : OUTCOME_WORDS[outcomeOf(event, step)]}`,
  );
  const names = words.map((word, index) => named(index === 0 ? capitalised(word) : word));
  return [joined(firstOf(names, MOST_CHANNELS), ' · ')];
}
