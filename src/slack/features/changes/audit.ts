import { auditEntries, BY_ITSELF, type EntryPage } from '../../../audit/audit.ts';
import type { ChangeOutcome } from '../../../audit/tables.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { CHANNEL_REFUSAL_WORDS } from '../../../lib/refusals.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { WEEK_MS } from '../../../lib/time/durations.ts';
import { isDirectMessage } from '../../../lib/workspace.ts';
import { AuditedChange } from '../../../lookups/audited.ts';
import type { SlackCtx } from '../../ctx.ts';
import { noteWords } from '../../incident-view/incident-words.ts';
import { commandList, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { mutedTime, muteRange } from '../../kit/mute-words.ts';
import { channelVia, numberOf } from '../../kit/names.ts';
import { badge, channelLink, code, joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { watchCommand } from '../../kit/watch-words.ts';
import type { Command } from '../../router/command.ts';
import { type SinceRequest, sinceCommand } from '../../router/since-command.ts';
import { sinceList } from './changes.ts';

/** The beginnings of `auditedWords`; an action without one here is in its own word. */
const ACTION_WORDS: { readonly [Action in AuditedChange['action']]?: string } = {
  trigger: 'test:',
  credentials: 'new credentials',
  'watch-made': 'created a watch',
  'watch-changed': 'changed a watch to',
  'watch-ended': 'removed a watch',
  'watch-lost': 'lost a watch:',
  'watch-muted': 'muted a watch',
  'watch-unmuted': 'unmuted a watch',
  'incident-muted': 'muted',
  'incident-unmuted': 'unmuted',
  noted: 'added a note to',
  'sent-again': 'sent again',
  deployed: 'recorded a deploy',
  'message-read': 'read the text of',
  'provider-words-read': "read the provider's words of",
  'answers-exported': "got a file of the provider's words of",
  erased: 'erased what was stored of a subscriber',
  'channel-environment': "set the channel's environment",
};

const OUTCOMES = {
  begun: '⏳ outcome not known yet',
  done: '✅ done',
  unknown: '🟡 outcome unknown: it may have gone through',
};

export function auditCommand(ctx: SlackCtx): Command {
  return sinceCommand(ctx, {
    word: 'audit',
    purpose: 'change',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    usualMs: WEEK_MS,
    answer: async (request) =>
      auditMessage(ctx, request, await auditEntries(ctx.db, { ...request, limit: ROWS_LOADED })),
  });
}

export function auditMessage(
  { environments }: Pick<SlackCtx, 'environments'>,
  request: SinceRequest,
  page: EntryPage,
): MessageContent {
  return commandList({
    ...sinceList('audit', request, page, environments),
    columns: ['Change', 'Who', 'When', 'Outcome', 'Where'],
    rows: page.items.map(({ at, actor, channel, environment, outcome, change }) => ({
      cells: [
        auditedWords(AuditedChange.safeParse(change).data ?? null, at, environments),
        actor === BY_ITSELF ? 'Notif' : person(actor),
        time(at),
        outcomeWords(outcome),
        joined([
          environment && badge(labeled(environment, environments)),
          channel && (isDirectMessage(channel) ? 'direct message' : channelLink(channel)),
        ]),
      ],
    })),
    notes: [mrkdwn`Since ${time(request.since)}`],
  });
}

/** 'muted #17 Email · SendGrid until …'. `change` is null if another version of Notif wrote it. */
export function auditedWords(change: AuditedChange | null, at: Date, environments: readonly Environment[]): Markup {
  if (change === null) return mrkdwn`a change of another version`;
  const facts = [
    ACTION_WORDS[change.action] ?? change.action,
    'workflow' in change && mrkdwn`${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`,
    'subscriberId' in change && mrkdwn`of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`,
    'notifications' in change && mrkdwn`${plural(change.notifications, 'notification')} of`,
    'event' in change && code(change.event),
    change.action === 'deployed' && change.name !== undefined && code(change.name),
    'incident' in change && numberOf(change.incident.number),
    'incident' in change && named(channelVia(change.incident.channel, change.incident.provider)),
    change.action === 'watch-lost' && CHANNEL_REFUSAL_WORDS[change.why].was,
    'watch' in change && watchCommand(change.watch),
    'part' in change && change.part !== null && mrkdwn`of ${code(change.part)}`,
    'until' in change && mutedTime(muteRange(change, at)),
    change.action === 'assigned' && mrkdwn`to ${person(change.to)}`,
    change.action === 'noted' && noteWords(change),
    change.action === 'channel-environment' &&
      mrkdwn`to ${change.to === null ? 'the first one' : badge(labeled(change.to, environments))}`,
  ];
  return joined(facts, ' ');
}

function outcomeWords(outcome: ChangeOutcome): Markup | string {
  if (outcome.is === 'refused') return mrkdwn`🔴 nothing was changed (${outcome.why.replaceAll('-', ' ')})`;
  if (outcome.is !== 'sent') return OUTCOMES[outcome.is];
  const { accepted, refused } = outcome;
  if (accepted + refused === 0) return '🛑 nothing was sent';
  if (refused === 0) return mrkdwn`✅ ${accepted} accepted`;
  return mrkdwn`${accepted === 0 ? '🔴' : '🟡'} ${accepted} accepted, ${refused} refused`;
}
