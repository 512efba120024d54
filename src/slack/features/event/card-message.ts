import type { Button, ContextBlock, KnownBlock, SectionBlock } from '@slack/types';
import { explainServiceProblem } from '../../../health/explain.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { dashboardLink } from '../../../lib/environment.ts';
import { type FoundEvent, targetOf } from '../../../lookups/event.ts';
import { outcomeOf } from '../../../lookups/steps.ts';
import { type ListedEvent, listedEvent } from '../../../lookups/transaction.ts';
import { isDelivery, type TriggeredEvent } from '../../../service/event.ts';
import type { Message } from '../../../service/message.ts';
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
} from '../../kit/blocks.ts';
import { lookUpButton, SEND_AGAIN, writeLookup } from '../../kit/buttons.ts';
import { fitCount } from '../../kit/fit.ts';
import { personal, publishedAs } from '../../kit/for-everyone.ts';
import { incidentMention } from '../../kit/incident/incident-row.ts';
import {
  capitalised,
  channelName,
  channelVia,
  notShownReason,
  OUTCOME_EMOJI,
  OUTCOME_WORDS,
  outcomeWord,
  providerName,
} from '../../kit/incident/names.ts';
import { MOST_CHILDREN } from '../../kit/limits.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';
import { messageStatusWords, statusEmoji, whereTo, whyNotSent } from '../../kit/words/message-words.ts';
import { storyRows } from './timeline-message.ts';

/** All but `DASHBOARD` carry a `LookupRequest`. */
export const SHARE = 'share.event';
export const REFRESH = 'event.refresh';
export const RAW = 'event.raw';
export const DASHBOARD = 'event.dashboard';

/** Shows nothing of the payload; contacts are already masked. `incidents`: those that the event is part of. */
export function eventCard(found: FoundEvent, incidents: readonly IncidentNow[]): MessageContent {
  const lines = [headline(found), reasonLine(found), ...channelsLine(found)];
  const rows = storyRows(found);
  const foot = [
    ...mergedInto(found),
    ...mergedHere(found),
    ...messagesProblem(found),
    divider(),
    ...who(found),
    details(found),
    ...unreadable(found),
    ...incidents.map((now) => incidentMention(now, mrkdwn`Part of incident`)),
    ...actions(buttons(found)),
  ];
  const { blocks } = fitCount(Math.min(rows.length, MOST_STEPS + MOST_CHILDREN), (shown) => [
    section(joined(lines, '\n')),
    divider(),
    ...rows.slice(0, Math.min(shown, MOST_STEPS)),
    ...furtherSteps(rows.slice(MOST_STEPS, shown)),
    ...moreSteps(rows.length - shown),
    ...foot,
  ]);
  return message(joined(lines, '. '), blocks);
}

/** Those that aren't folded, the trigger included. */
const MOST_STEPS = 10;

function furtherSteps(rows: readonly SectionBlock[]): KnownBlock[] {
  return rows.length === 0 ? [] : [folded(`${plural(rows.length, 'further step')}`, rows)];
}

function moreSteps(left: number): KnownBlock[] {
  if (left === 0) return [];
  const words = mrkdwn`… and ${plural(left, 'more step')}`;
  return [publishedAs(context(mrkdwn`${words} · [View raw]`), context(words))];
}

function mergedInto({ environment, event }: FoundEvent): KnownBlock[] {
  if (event.mergedInto === null) return [];
  const request = { environment: environment.name, target: { kind: 'event', id: event.mergedInto } } as const;
  return [section(mrkdwn`Merged by a digest into ${code(event.mergedInto)}`, lookUpButton(request, 'Look that up'))];
}

function mergedHere(found: FoundEvent): KnownBlock[] {
  const { merged, environment } = found;
  if (merged === null) return [];
  if (!merged.read) {
    const { what } = explainServiceProblem(merged.error, environment);
    return [context(mrkdwn`What its digest merged is missing here. ${what}`)];
  }
  const { items, hasMore } = merged;
  if (items.length === 0) return hasMore ? [context(MAYBE_MERGED)] : [];
  const title = mrkdwn`Its digest merged ${plural(items.length, 'other event')}${hasMore ? ' or more' : ''} into this one`;
  const rows = items.map(({ event, judgement }) => eventRow(listedEvent(event, judgement), environment.name));
  const shown = rows.length > MOST_CHILDREN ? rows.slice(0, MOST_CHILDREN - 1) : rows;
  const left = rows.length - shown.length;
  const all = folded(`${title}`, [...shown, ...(left === 0 ? [] : [context(mrkdwn`… and ${left} more`)])]);
  return [publishedAs<KnownBlock>(all, section(title))];
}

const MAYBE_MERGED = mrkdwn`Its digest may have merged other events: not all of its subscriber's could be read here.`;

function who({ event }: FoundEvent): KnownBlock[] {
  const { subscriber } = event;
  const contacts = [subscriber?.initials, subscriber?.maskedEmail, subscriber?.maskedPhone].filter(
    (one) => typeof one === 'string',
  );
  const whom =
    subscriber === null
      ? []
      : [mrkdwn`Subscriber ${joined([code(subscriber.subscriberId), ...contacts.map(named)], ' · ')}`];
  return [context(joined([...whom, mrkdwn`Transaction ${code(event.transactionId)}`], '   '))];
}

function details(found: FoundEvent): KnownBlock {
  const { event } = found;
  const facts = context(joined([...traits(event), ...timesOf(event)], '   '));
  return folded('Details', [facts, ...messageBlocks(found)]);
}

const PART_WORDS: Readonly<Record<string, string>> = {
  jobs: 'step',
  'jobs.executionDetails': 'execution detail',
  'jobs.step.filters': 'condition',
  topics: 'topic',
};

function unreadable({ event }: FoundEvent): KnownBlock[] {
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

function timesOf({ createdAt, updatedAt }: TriggeredEvent): Markup[] {
  const hasChanged = createdAt !== null && updatedAt !== null && updatedAt.getTime() - createdAt.getTime() >= 1000;
  return [
    mrkdwn`Received ${time(createdAt, 'day')}`,
    ...(hasChanged ? [mrkdwn`Last change ${timeNear(updatedAt, createdAt)}`] : []),
  ];
}

const MOST_NAMES = 3;

function traits(event: TriggeredEvent): Markup[] {
  const { workflow, severity, critical, tags, topicKeys, contextKeys, id } = event;
  return [
    ...(workflow === null || workflow.name === workflow.identifier ? [] : [mrkdwn`Workflow ${named(workflow.name)}`]),
    ...(severity === null ? [] : [mrkdwn`Severity ${named(severity)}`]),
    ...(critical ? [mrkdwn`Critical`] : []),
    ...names('Tags', tags),
    ...names('Topics', topicKeys),
    ...names('Contexts', contextKeys),
    ...(id === null ? [] : [mrkdwn`Event ${code(id)}`]),
  ];
}

function names(label: string, all: readonly string[]): Markup[] {
  const codes = all.map((name) => code(name));
  return all.length === 0 ? [] : [mrkdwn`${label} ${joined(firstOf(codes, MOST_NAMES), ', ')}`];
}

function buttons({ environment, event }: FoundEvent): Button[] {
  const request = { environment: environment.name, target: targetOf(event) };
  const value = writeLookup(request);
  const link = dashboardLink(environment, event);
  return [
    personal(button('Share', SHARE, value)),
    publishedAs(button('Refresh', REFRESH, value), lookUpButton(request)),
    personal(button('Send again', SEND_AGAIN, value)),
    personal(button('View raw', RAW, value)),
    ...(link === null ? [] : [personal(linkButton('Dashboard', DASHBOARD, link))]),
  ];
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

function headline({ environment, event, judgement }: FoundEvent): Markup {
  const outcome = outcomeOf(event, judgement);
  const words = mrkdwn`${OUTCOME_EMOJI[outcome]} *${capitalised(OUTCOME_WORDS[outcome])}*`;
  return mrkdwn`${badge(environment)} · ${words} · ${subject(event)}`;
}

function subject({ workflow, subscriber }: TriggeredEvent): Markup {
  const whom = subscriber === null ? mrkdwn`(no subscriber)` : mrkdwn`for ${code(subscriber.subscriberId)}`;
  return mrkdwn`*${named(workflow?.identifier ?? 'deleted workflow')}* ${whom}`;
}

function reasonLine({ event, judgement }: FoundEvent): Markup {
  if (outcomeOf(event, judgement) === 'not-shown') return mrkdwn`${capitalised(notShownReason(event))}.`;
  const failure = judgement.failures.find(({ verdict }) => verdict === judgement.verdict);
  if (failure === undefined) return mrkdwn`${capitalised(waitingFor(judgement) ?? judgement.reason)}.`;
  return mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

function waitingFor({ verdict, steps }: FoundEvent['judgement']): string | null {
  const waiting = verdict === 'in-progress' ? steps.find(({ job }) => job.status === 'delayed') : undefined;
  return waiting === undefined ? null : `waiting at the ${channelName(waiting.job.type)} step`;
}

function channelsLine({ event, judgement }: FoundEvent): Markup[] {
  const sent = judgement.steps.filter(({ job }) => isDelivery(job));
  if (sent.length < 2) return [];
  const words = sent.map(
    (step) =>
      `${channelName(step.job.type)} ${step.job.status === 'merged' ? 'merged' : OUTCOME_WORDS[outcomeOf(event, step)]}`,
  );
  const names = words.map((word, index) => named(index === 0 ? capitalised(word) : word));
  return [joined(firstOf(names, MOST_CHANNELS), ' · ')];
}

const MOST_LINES = 8;
/** In characters of markup, beside the event's steps. */
const LINES_LENGTH = 2_400;

function messagesProblem({ messages, environment }: FoundEvent): ContextBlock[] {
  if (messages.read) return messages.hasMore ? [context(MAYBE_MORE)] : [];
  const { what } = explainServiceProblem(messages.error, environment);
  return [context(mrkdwn`Its messages are missing here. ${what}`)];
}

function messageBlocks({ event, messages, environment }: FoundEvent): SectionBlock[] {
  if (!messages.read || messages.items.length === 0) return [];
  const lines = messages.items.map((message) =>
    joined([...facts(message, event.createdAt), ...subjectOf(message)], ' · '),
  );
  const shown = lines.slice(0, linesThatFit(lines));
  const left = lines.length - shown.length;
  const command = code(`/notif messages tx:${event.transactionId} env:${environment.name}`, MOST_COMMAND);
  const listed = (lines: readonly Markup[], more: Markup) =>
    section(joined([mrkdwn`*Messages*`, ...lines, ...(left === 0 ? [] : [more])], '\n'));
  const published = messages.items
    .slice(0, shown.length)
    .map((message) => joined(facts(message, event.createdAt), ' · '));
  return [
    publishedAs(listed(shown, mrkdwn`… and ${left} more in ${command}`), listed(published, mrkdwn`… and ${left} more`)),
  ];
}

const MOST_COMMAND = 300;

const MAYBE_MORE = mrkdwn`It may have more messages: not all of its transaction's could be read here.`;

function linesThatFit(lines: readonly Markup[]): number {
  let length = 0;
  const fitting = lines.slice(0, MOST_LINES).findIndex((line) => {
    length += `${line}`.length;
    return length > LINES_LENGTH;
  });
  return fitting === -1 ? Math.min(lines.length, MOST_LINES) : Math.max(1, fitting);
}

/** All but its subject, which only the person who asked sees. */
function facts(message: Message, triggeredAt: Date | null): Markup[] {
  const { channel, provider, status, createdAt } = message;
  const via = provider === null ? '' : ` · ${providerName(provider)}`;
  return [
    mrkdwn`${statusEmoji(message)} ${channelName(channel)}${via}: ${status}`,
    ...(createdAt === null ? [] : [timeNear(createdAt, triggeredAt, 'seconds')]),
    ...whereTo(message),
    ...messageStatusWords(message),
    ...whyNotSent(message),
  ];
}

function subjectOf({ subject }: Message): Markup[] {
  return subject === null || `${subject}` === '' ? [] : [mrkdwn`“${`${subject}`}”`];
}
