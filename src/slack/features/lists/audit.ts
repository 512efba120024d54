import { auditEntries } from '../../../audit/audit.ts';
import type { AuditEntry, AuditedIncident, AuditPage, Change, ChangeOutcome } from '../../../audit/entry.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { WEEK_MS } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { noteWords } from '../../kit/incident/incident-words.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { ROWS_LOADED } from '../../kit/list.ts';
import { badge, channelLink, code, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { type Command, parseSince, SINCE_FILTERS, type SinceRequest } from '../../router/command.ts';
import { sinceList } from './since.ts';

export function auditCommand(ctx: SlackCtx): Command {
  return {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    filters: SINCE_FILTERS,
    follows: 'filters',
    environments: 'several',
    answer: async (line, { reply }) => {
      const request = parseSince(line, ctx, WEEK_MS);
      const found = await auditEntries(ctx.db, { ...request, limit: ROWS_LOADED });
      await reply.show(auditMessage(ctx, request, found));
    },
  };
}

export function auditMessage(
  ctx: Pick<SlackCtx, 'environments' | 'retentionDays'>,
  request: SinceRequest,
  { entries, hasOlder }: AuditPage,
): MessageContent {
  const { environments, retentionDays } = ctx;
  return sinceList(ctx, request, {
    word: 'audit',
    ids: entries.map(({ number }) => number),
    hasOlder,
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
  });
}

function placeWords(channel: string | null): string | Markup {
  if (channel === null) return '';
  return channel.startsWith('D') ? 'direct message' : channelLink(channel);
}

const VERBS: { readonly [Action in Change['action']]: string } = {
  trigger: 'test:',
  credentials: 'new credentials',
  'watch-made': 'created a watch',
  'watch-changed': 'changed a watch, now',
  'watch-ended': 'removed a watch',
  'watch-muted': 'muted a watch',
  'watch-unmuted': 'unmuted a watch',
  'incident-muted': 'muted',
  'incident-unmuted': 'unmuted',
  acknowledged: 'acknowledged',
  unacknowledged: 'unacknowledged',
  resolved: 'resolved',
  assigned: 'assigned',
  noted: 'added a note to',
  deployed: 'reported a deploy',
  'channel-environment': "set the channel's environment",
};

export function changeWords({ change }: Pick<AuditEntry, 'change'>, environments: readonly Environment[]): Markup {
  const verb = VERBS[change.action];
  const until = 'until' in change ? mrkdwn` until ${time(change.until, 'day')}` : mrkdwn``;
  if ('watch' in change) return mrkdwn`${verb}${until}: ${code(maskedId(`/notif watch ${change.watch}`), 250)}`;
  switch (change.action) {
    case 'trigger':
      return mrkdwn`${verb} ${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`;
    case 'credentials':
      return mrkdwn`${verb} of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`;
    case 'assigned':
      return mrkdwn`${verb} ${incidentName(change.incident)} to ${person(change.to)}`;
    case 'noted':
      return mrkdwn`${verb} ${incidentName(change.incident)}: ${noteWords(change)}`;
    case 'deployed':
      return mrkdwn`${verb}`;
    case 'channel-environment':
      return mrkdwn`${verb} to ${change.to === null ? 'the first one' : badge(labelled(change.to, environments))}`;
    default:
      return mrkdwn`${verb} ${incidentName(change.incident)}${until}`;
  }
}

function incidentName({ number, channel, provider }: AuditedIncident): Markup {
  const name = named(channelVia(channel, provider));
  return mrkdwn`#${String(number)} ${name}`;
}

const OUTCOMES = {
  begun: '⏳ outcome not known yet',
  done: '✅ done',
  unknown: '🟡 outcome unknown: it may have gone through',
};

function outcomeWords(outcome: ChangeOutcome): Markup {
  if (outcome.is === 'refused') return mrkdwn`🔴 nothing was changed (${outcome.why.replaceAll('-', ' ')})`;
  if (outcome.is !== 'sent') return mrkdwn`${OUTCOMES[outcome.is]}`;
  const { accepted, refused } = outcome;
  if (refused === 0) return mrkdwn`✅ all accepted`;
  return mrkdwn`${accepted === 0 ? '🔴' : '🟡'} ${accepted} accepted, ${refused} refused`;
}
