import type { Button } from '@slack/types';
import { SEVERITIES } from '../../../failures/failure.ts';
import { decisiveFailure } from '../../../failures/judge.ts';
import { oneOf } from '../../../lib/closed-list.ts';
import type { Environment } from '../../../lib/environment.ts';
import { commandText, onlyValue } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { parseTimeRange } from '../../../lib/time/time-range.ts';
import { targetOf } from '../../../lookups/event.ts';
import { type EventList, listEvents, workflowIdsOf } from '../../../lookups/lists.ts';
import { outcomeOf } from '../../../lookups/outcome.ts';
import { knownChannel } from '../../../service/channels.ts';
import { type EventQuery, typedContextKey } from '../../../service/query.ts';
import { refuseMasked } from '../../../service/typed-lookup.ts';
import type { SlackCtx } from '../../ctx.ts';
import { lookUpText, runButton } from '../../kit/buttons.ts';
import { personal } from '../../kit/for-everyone.ts';
import { commandList } from '../../kit/list.ts';
import { type MessageContent, whatNext } from '../../kit/message.ts';
import { badge, joined, type Line, type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { CASE_MATTERS, filterNames, ignoredFilters } from '../../kit/words/filter-words.ts';
import { channelVia, OUTCOME_EMOJI, OUTCOME_WORDS } from '../../kit/words/names.ts';
import type { Command, CommandLine } from '../../router/command.ts';

/** The service's own filters of its list of events. */
const FILTERS = ['workflow', 'channel', 'topic', 'severity', 'tx', 'context', 'subscriber', 'email', 'search'] as const;

export function eventsCommand(ctx: SlackCtx): Command {
  return {
    word: 'events',
    usage: '[filters]',
    about: 'what was triggered, and its outcome, as far back as the service keeps it',
    examples: ['workflow:order-shipped since:2d', 'topic:launch severity:high', 'email:anna@example.com'],
    for: 'everyone',
    filters: [...FILTERS, 'since', 'until', 'env'],
    follows: 'filters',
    answer: async (line) => (await eventsAnswer(ctx, line)).content,
  };
}

export async function eventsAnswer(ctx: SlackCtx, line: CommandLine, note: Line = null) {
  const { environment, page } = line;
  const query = {
    ...eventQuery(line, ctx.now()),
    workflowIds: await workflowIdsOf(ctx.db, environment, line.filters.workflow ?? []),
  };
  const [from = 0, end = null] = page?.cursor.split(' ').map(Number) ?? [];
  const service = ctx.serviceOf(environment.name);
  const list = await listEvents({ service, now: ctx.now }, query, { from, end: end === null ? null : new Date(end) });
  const isFound = list.events.length + list.unreadable > 0;
  return { isFound, content: eventsMessage(line, query, list, note) };
}

function eventQuery({ filters, timeZone }: CommandLine, now: Date): EventQuery {
  for (const key of FILTERS) filters[key]?.forEach(refuseMasked);
  const [since, until] = [onlyValue('since', filters), onlyValue('until', filters)];
  const range = parseTimeRange({ since, until }, now, { durationMs: DAY_MS, maxDays: 3_650, timeZone });
  return {
    channels: filters.channel?.map(knownChannel),
    topicKey: onlyValue('topic', filters),
    severity: filters.severity?.map((typed) => oneOf('severity', typed, SEVERITIES)),
    transactionId: onlyValue('tx', filters),
    contextKeys: filters.context?.map(typedContextKey),
    subscriberIds: filters.subscriber,
    emails: filters.email && parseAddresses(filters.email),
    search: onlyValue('search', filters),
    after: since === undefined ? undefined : range.from,
    ...(until !== undefined && { before: range.to }),
  };
}

export function eventsMessage(
  { environment, filters, page }: CommandLine,
  { after, before }: EventQuery,
  { events, from, unreadable, misfits, next, end }: EventList,
  note: Line = null,
) {
  const names = filterNames(filters);
  return commandList({
    text: commandText(['events'], {
      ...filters,
      env: [environment.name],
      since: after === undefined ? [] : [after.toISOString()],
      until: before === undefined ? [] : [before.toISOString()],
    }),
    page,
    title: joined([badge(environment), ...(names.length === 1 ? names : [])], ' · '),
    noun: 'event',
    total: null,
    ...eventTable(environment.name, events, ['Transaction', 'Outcome', 'Workflow', 'Subscriber', 'When', 'Cause']),
    notes: [
      note,
      names.length > 1 && joined(names, ' · '),
      ignoredFilters(misfits),
      after !== undefined && mrkdwn`Since ${time(after, 'day')}`,
      before !== undefined && mrkdwn`Until ${time(before, 'day')}`,
      events.length + unreadable === 0 && next === null && NOTHING,
    ],
    unreadable,
    next: (shown) => {
      const first = shown < events.length ? from + shown : next;
      return first === null ? null : `${first} ${end.getTime()}`;
    },
    isShareable: true,
    more: filters.subscriber?.length === 1 && subscriberButton(environment, filters.subscriber[0] ?? ''),
  });
}

export function subscriberButton({ name }: Environment, subscriberId: string): Button {
  return personal(runButton('Subscriber', commandText(['subscriber', subscriberId], { env: [name] })));
}

export function noSubscriber(environment: Environment, how: Markup): MessageContent {
  const next = mrkdwn`Try the subscriber's ID, an email address or a transaction ID. ${CASE_MATTERS}`;
  return whatNext(mrkdwn`No subscriber found in ${badge(environment)}: ${how}.`, next);
}

const NOTHING = mrkdwn`${CASE_MATTERS} The service may keep no older events.`;

export type Listed = EventList['events'][number];

export const outcomeIn = ({ event, judgement }: Listed) => outcomeOf(event, judgement);

const CELLS = {
  Transaction: ({ event }: Listed) => event.transactionId,
  Subscriber: ({ event }: Listed) => event.subscriber?.subscriberId ?? event.id ?? '',
  Outcome: (listed: Listed) => `${OUTCOME_EMOJI[outcomeIn(listed)]} ${OUTCOME_WORDS[outcomeIn(listed)]}`,
  Workflow: ({ event }: Listed) => event.workflow?.identifier ?? 'deleted workflow',
  When: ({ event }: Listed) => time(event.createdAt, 'day'),
  Cause: ({ judgement }: Listed) => causeWords(judgement),
};

export function eventTable(environment: string, listed: readonly Listed[], columns: readonly (keyof typeof CELLS)[]) {
  const rows = listed.map((event) => {
    const label = [CELLS.Outcome(event), CELLS.Transaction(event), CELLS.Subscriber(event)].join(' · ');
    const command = lookUpText({ environment, target: targetOf(event.event) });
    return { cells: columns.map((column) => CELLS[column](event)), choice: [label, command] as const };
  });
  return { columns, rows };
}

export function causeWords(judgement: Listed['judgement']): string {
  const failure = decisiveFailure(judgement);
  return failure === undefined ? '' : `${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}
