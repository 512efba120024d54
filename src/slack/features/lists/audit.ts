import type { AuditedIncident, AuditPage, ChangeOutcome, NumberedEntry } from '../../../audit/entry.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { WEEK_MS } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import type { Cell } from '../../kit/data-table.ts';
import { noteWords } from '../../kit/incident/incident-words.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { listMessage, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { moreSinceButton, parseRequest, type SinceRequest, sinceCaption } from '../../kit/since-request.ts';
import { badge, channelLink, code, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { type Command, type Flow, parseSince, SINCE_FILTERS } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';

export function auditFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: SinceRequest) =>
    auditMessage(await ctx.store.audit.auditEntries({ ...request, limit: ROWS_LOADED }), request, ctx);
  const audit: Command = {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    filters: SINCE_FILTERS,
    follows: 'filters',
    environments: 'several',
    answer: async (line, { reply }) => {
      await reply.show(await messageOf(parseSince(line, { usualMs: WEEK_MS, ...ctx })));
    },
  };
  const more = answerRoutes([MORE_ENTRIES], parseRequest, messageOf);
  return { commands: [audit], routes: routesFor('operators', more) };
}

export const MORE_ENTRIES = 'audit.more';

export interface AuditOptions {
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
}

export function auditMessage(
  { entries, hasOlder }: AuditPage,
  request: SinceRequest,
  options: AuditOptions,
): MessageContent {
  const last = (shown: number) => olderThan(entries, hasOlder, shown);
  return listMessage({
    caption: (shown) => sinceCaption(request, options.environments, { shown, isMore: last(shown) !== null }),
    columns: ['When', 'Who', 'Change', 'Environment', 'Outcome', 'Where'],
    rows: entries.map((entry) => ({ cells: cellsOf(entry, options) })),
    notes: [mrkdwn`Kept for ${options.retentionDays} days. Entries never include payloads or credentials.`],
    buttons: (shown) => moreSinceButton(MORE_ENTRIES, request, last(shown)?.number),
  });
}

function cellsOf(entry: NumberedEntry, { environments }: AuditOptions): Cell[] {
  const { at, actor, channel, environment, outcome } = entry;
  return [
    time(at, 'day'),
    person(actor),
    changeWords(entry, environments),
    environment === null ? '' : badge(labelled(environment, environments)),
    outcomeLine(outcome),
    channel === null ? '' : channel.startsWith('D') ? 'direct message' : channelLink(channel),
  ];
}

export function changeWords({ change, outcome }: NumberedEntry, environments: readonly Environment[]): Markup {
  const isDone = outcome.is === 'done' || outcome.is === 'sent';
  switch (change.action) {
    case 'trigger':
      return mrkdwn`${isDone ? 'triggered' : 'tried to trigger'} ${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`;
    case 'credentials':
      return mrkdwn`${isDone ? 'updated' : 'tried to update'} credentials of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`;
    case 'watch-made':
      return mrkdwn`created a watch: ${watchWords(change.watch)}`;
    case 'watch-changed':
      return mrkdwn`changed a watch, now: ${watchWords(change.watch)}`;
    case 'watch-ended':
      return mrkdwn`removed a watch: ${watchWords(change.watch)}`;
    case 'watch-muted':
      return mrkdwn`muted a watch until ${time(change.until, 'day')}: ${watchWords(change.watch)}`;
    case 'watch-unmuted':
      return mrkdwn`unmuted a watch: ${watchWords(change.watch)}`;
    case 'incident-muted':
      return mrkdwn`muted ${incidentName(change.incident)} until ${time(change.until, 'day')}`;
    case 'incident-unmuted':
      return mrkdwn`unmuted ${incidentName(change.incident)}`;
    case 'assigned':
      return mrkdwn`assigned ${incidentName(change.incident)} to ${person(change.to)}`;
    case 'acknowledged':
    case 'unacknowledged':
    case 'resolved':
      return mrkdwn`${change.action} ${incidentName(change.incident)}`;
    case 'noted':
      return mrkdwn`added a note to ${incidentName(change.incident)}: ${noteWords(change)}`;
    case 'deployed':
      return mrkdwn`reported a deploy`;
    case 'channel-environment':
      return change.to === null
        ? mrkdwn`removed the channel's environment`
        : mrkdwn`set the channel's environment to ${badge(labelled(change.to, environments))}`;
  }
}

function watchWords(watch: string): Markup {
  return code(maskedId(`/notif watch ${watch}`), 250);
}

function incidentName({ number, channel, provider }: AuditedIncident): Markup {
  const name = named(channelVia(channel, provider));
  return number === null ? name : mrkdwn`#${String(number)} ${name}`;
}

function outcomeLine(outcome: ChangeOutcome): Markup {
  switch (outcome.is) {
    case 'begun':
      return mrkdwn`⏳ outcome not known yet`;
    case 'done':
      return mrkdwn`✅ done`;
    case 'sent': {
      const { accepted, refused } = outcome;
      if (refused === 0) return mrkdwn`✅ all accepted`;
      return mrkdwn`${accepted === 0 ? '🔴' : '🟡'} ${accepted} accepted, ${refused} refused`;
    }
    case 'refused':
      return mrkdwn`🔴 nothing was changed, ${WHY[outcome.why] ?? "the service couldn't do it"}`;
    case 'unknown':
      return mrkdwn`🟡 outcome unknown: it may have gone through`;
  }
}

const WHY: { readonly [Why in Extract<ChangeOutcome, { is: 'refused' }>['why']]?: string } = {
  refused: 'the service refused it',
  'key-refused': "the API key was refused, or doesn't allow this",
  'beyond-plan': 'it was beyond the plan',
  'rate-limited': 'the rate limit was used up',
  'timed-out': "the service didn't answer in time",
  unreachable: 'there was no connection',
  'not-found': 'there was no such subscriber',
};
