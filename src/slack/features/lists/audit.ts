import { auditEntries } from '../../../audit/audit.ts';
import type { AuditEntry, AuditedIncident, AuditPage, ChangeOutcome } from '../../../audit/entry.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { WEEK_MS } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { noteWords } from '../../kit/incident/incident-words.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { listMessage, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { moreSinceButton, parseRequest, type SinceRequest, sinceCaption } from '../../kit/since-request.ts';
import { badge, channelLink, code, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { type Command, type Flow, parseSince, SINCE_FILTERS } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';

export const MORE_ENTRIES = 'audit.more';

export function auditFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: SinceRequest) =>
    auditMessage(ctx, await auditEntries(ctx.db, { ...request, limit: ROWS_LOADED }), request);
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
  return {
    commands: [audit],
    routes: routesFor('operators', answerRoutes([MORE_ENTRIES], parseRequest, messageOf)),
  };
}

export function auditMessage(
  { environments, retentionDays }: Pick<SlackCtx, 'environments' | 'retentionDays'>,
  { entries, hasOlder }: AuditPage,
  request: SinceRequest,
): MessageContent {
  const last = (shown: number) => olderThan(entries, hasOlder, shown);
  return listMessage({
    caption: (shown) => sinceCaption(request, environments, { shown, isMore: last(shown) !== null }),
    columns: ['When', 'Who', 'Change', 'Environment', 'Outcome', 'Where'],
    rows: entries.map((entry) => ({
      cells: [
        time(entry.at, 'day'),
        person(entry.actor),
        changeWords(entry, environments),
        entry.environment === null ? '' : badge(labelled(entry.environment, environments)),
        outcomeWords(entry.outcome),
        placeWords(entry.channel),
      ],
    })),
    notes: [mrkdwn`Kept for ${retentionDays} days. Entries never include payloads or credentials.`],
    buttons: (shown) => moreSinceButton(MORE_ENTRIES, request, last(shown)?.number),
  });
}

function placeWords(channel: string | null): string | Markup {
  if (channel === null) return '';
  return channel.startsWith('D') ? 'direct message' : channelLink(channel);
}

const WATCH_VERBS = {
  'watch-made': 'created a watch',
  'watch-changed': 'changed a watch, now',
  'watch-ended': 'removed a watch',
  'watch-unmuted': 'unmuted a watch',
};

export function changeWords({ change, outcome }: AuditEntry, environments: readonly Environment[]): Markup {
  const isDone = outcome.is === 'done' || outcome.is === 'sent';
  switch (change.action) {
    case 'trigger':
      return mrkdwn`${isDone ? 'triggered' : 'tried to trigger'} ${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`;
    case 'credentials':
      return mrkdwn`${isDone ? 'updated' : 'tried to update'} credentials of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`;
    case 'watch-made':
    case 'watch-changed':
    case 'watch-ended':
    case 'watch-unmuted':
      return mrkdwn`${WATCH_VERBS[change.action]}: ${watchWords(change.watch)}`;
    case 'watch-muted':
      return mrkdwn`muted a watch until ${time(change.until, 'day')}: ${watchWords(change.watch)}`;
    case 'incident-muted':
      return mrkdwn`muted ${incidentName(change.incident)} until ${time(change.until, 'day')}`;
    case 'incident-unmuted':
      return mrkdwn`unmuted ${incidentName(change.incident)}`;
    case 'acknowledged':
    case 'unacknowledged':
    case 'resolved':
      return mrkdwn`${change.action} ${incidentName(change.incident)}`;
    case 'assigned':
      return mrkdwn`assigned ${incidentName(change.incident)} to ${person(change.to)}`;
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

function outcomeWords(outcome: ChangeOutcome): Markup {
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
      return mrkdwn`🔴 nothing was changed (${outcome.why.replaceAll('-', ' ')})`;
    case 'unknown':
      return mrkdwn`🟡 outcome unknown: it may have gone through`;
  }
}
