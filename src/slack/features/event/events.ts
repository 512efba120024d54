import type { Button } from '@slack/types';
import { SEVERITIES } from '../../../judging/failure.ts';
import { oneOf } from '../../../lib/closed-list.ts';
import type { Environment } from '../../../lib/environment.ts';
import { parseAddresses } from '../../../lib/input/email-addresses.ts';
import { commandText, type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import { parseTimeRange } from '../../../lib/input/time-range.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { type EventList, listEvents, workflowIdsOf } from '../../../lookups/event-list.ts';
import { parseChannel } from '../../../service/channels.ts';
import { type EventQuery, typedContextKey } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { runButton } from '../../kit/buttons.ts';
import { CASE_MATTERS, ignoredFilters, typedFilterWords } from '../../kit/filter-words.ts';
import { commandList } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { personal } from '../../kit/published.ts';
import { badge, joined, mrkdwn } from '../../kit/text.ts';
import { aheadNote, time } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { eventTable } from './event-table.ts';

/** Ten years: how long the service keeps events isn't known, and it is the service that is read. */
export const DAYS_BACK = 3_650;

const FILTERS = ['workflow', 'channel', 'topic', 'severity', 'tx', 'context', 'subscriber', 'email', 'search'] as const;

export function eventsCommand(ctx: SlackCtx): Command {
  return {
    word: 'events',
    purpose: 'lookup',
    usage: '[filters]',
    about: 'what was triggered, and its outcome, as far back as the service keeps it',
    examples: ['workflow:order-shipped since:2d', 'topic:launch severity:high', 'email:anna@example.com'],
    for: 'everyone',
    filters: [...FILTERS, 'since', 'until', 'env'],
    follows: 'filters',
    answer: (line) => eventsAnswer(ctx, line),
  };
}

async function eventsAnswer(ctx: SlackCtx, line: CommandLine): Promise<MessageContent> {
  const { environment, page } = line;
  const workflowIds = await workflowIdsOf(ctx.db, environment, line.filters.workflow ?? []);
  const query = { ...eventQuery(line, ctx.now()), workflowIds };
  // A cursor is the next event's index and the list's end in ms.
  const [from = 0, end = null] = page?.cursor.split(' ').map(Number) ?? [];
  const service = ctx.serviceOf(environment.name);
  const list = await listEvents({ service, now: ctx.now }, query, { from, end: end === null ? null : new Date(end) });
  return eventsMessage(line, query, list);
}

function eventQuery({ filters, timeZone }: CommandLine, now: Date): Omit<EventQuery, 'workflowIds'> {
  for (const key of FILTERS) filters[key]?.forEach(refuseMasked);
  const range = parseTimeRange(filters, now, { durationMs: DAY_MS, maxDays: DAYS_BACK, timeZone });
  return {
    channels: filters.channel?.map(parseChannel),
    topicKey: onlyValue('topic', filters),
    severity: filters.severity?.map((typed) => oneOf('severity', typed, SEVERITIES)),
    transactionId: onlyValue('tx', filters),
    contextKeys: filters.context?.map(typedContextKey),
    subscriberIds: filters.subscriber,
    emails: filters.email && parseAddresses(filters.email),
    search: onlyValue('search', filters),
    after: filters.since && range.from,
    ...(filters.until && { before: range.to }),
  };
}

export function eventsMessage(
  { environment, filters, page }: CommandLine,
  { after, before }: EventQuery,
  { events, from, unreadable, misfits, next, end, aheadMs }: EventList,
): MessageContent {
  const names = typedFilterWords(filters);
  const idsByEmail = filters.email && events.flatMap(({ event }) => event.subscriber?.subscriberId ?? []);
  const [id, ...others] = new Set(filters.subscriber ?? idsByEmail);
  return commandList({
    text: commandText(['events'], {
      ...filters,
      env: [environment.name],
      since: after ? [after.toISOString()] : [],
      until: before ? [before.toISOString()] : [],
    }),
    page,
    title: joined([badge(environment), ...(names.length === 1 ? names : [])]),
    noun: 'event',
    ...eventTable(environment.name, events, { columns: ['Outcome', 'Workflow', 'When', 'Subscriber'] }),
    notes: [
      names.length > 1 && joined(names),
      ignoredFilters(misfits),
      aheadNote(aheadMs),
      after !== undefined && mrkdwn`Since ${time(after)}`,
      before !== undefined && mrkdwn`Until ${time(before)}`,
      events.length + unreadable === 0 &&
        next === null &&
        mrkdwn`${CASE_MATTERS} The service may keep no older events.`,
    ],
    unreadable,
    nextCursor: (shown) => {
      const first = shown < events.length ? from + shown : next;
      return first === null ? null : `${first} ${end.getTime()}`;
    },
    extraButton: id !== undefined && others.length === 0 && subscriberButton(environment, id),
  });
}

export function subscriberButton({ name }: Environment, subscriberId: string, filters: FilterMap = {}): Button {
  return personal(runButton('Subscriber', commandText(['subscriber', subscriberId], { ...filters, env: [name] })));
}
