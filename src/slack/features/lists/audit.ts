import { type AuditPage, auditEntries, BY_ITSELF, type ChangeOutcome, type NewEntry } from '../../../audit/audit.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { isDirectMessage } from '../../../lib/slack-ids.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { WEEK_MS } from '../../../lib/time/durations.ts';
import { WATCH_END_WORDS } from '../../../outbox/kinds.ts';
import type { SlackCtx } from '../../ctx.ts';
import { noteWords } from '../../incident-view/incident-words.ts';
import { ROWS_LOADED } from '../../kit/list.ts';
import { badge, channelLink, code, joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { channelVia, numberOf } from '../../kit/words/names.ts';
import { type Command, type SinceRequest, sinceCommand } from '../../router/command.ts';
import { sinceList } from './since-list.ts';

export function auditCommand(ctx: SlackCtx): Command {
  const words = {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    usualMs: WEEK_MS,
  } as const;
  return sinceCommand(ctx, words, async (request) =>
    auditMessage(ctx, request, await auditEntries(ctx.db, { ...request, limit: ROWS_LOADED })),
  );
}

export function auditMessage(ctx: Pick<SlackCtx, 'environments'>, request: SinceRequest, page: AuditPage) {
  const { environments } = ctx;
  return sinceList(ctx, request, {
    word: 'audit',
    ids: page.entries.map(({ id }) => id),
    hasOlder: page.hasOlder,
    columns: ['When', 'Who', 'Change', 'Environment', 'Outcome', 'Where'],
    rows: page.entries.map((entry) => ({
      cells: [
        time(entry.at, 'day'),
        entry.actor === BY_ITSELF ? 'Notif' : person(entry.actor),
        changeWords(entry, environments),
        entry.environment === null ? '' : badge(labelled(entry.environment, environments)),
        outcomeWords(entry.outcome),
        entry.channel === null ? '' : isDirectMessage(entry.channel) ? 'direct message' : channelLink(entry.channel),
      ],
    })),
  });
}

/** The other actions are words themselves. */
const DID: { readonly [Action in NewEntry['change']['action']]?: string } = {
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
  erased: 'erased what was stored of a subscriber',
  'channel-environment': "set the channel's environment",
};

export function changeWords({ change }: Pick<NewEntry, 'change'>, environments: readonly Environment[]): Markup {
  const facts = [
    DID[change.action] ?? change.action,
    'workflow' in change && mrkdwn`${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`,
    'subscriberId' in change && mrkdwn`of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`,
    'notifications' in change && mrkdwn`${plural(change.notifications, 'notification')} of`,
    'event' in change && code(change.event),
    'incident' in change && numberOf(change.incident.number),
    'incident' in change && named(channelVia(change.incident.channel, change.incident.provider)),
    change.action === 'watch-lost' && WATCH_END_WORDS[change.why].why,
    'watch' in change && code(maskedId(`/notif watch ${change.watch}`), 250),
    'until' in change && mrkdwn`until ${time(new Date(change.until), 'day')}`,
    change.action === 'assigned' && mrkdwn`to ${person(change.to)}`,
    change.action === 'noted' && noteWords(change),
    change.action === 'channel-environment' &&
      mrkdwn`to ${change.to === null ? 'the first one' : badge(labelled(change.to, environments))}`,
  ];
  return joined(facts, ' ');
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
  if (accepted + refused === 0) return mrkdwn`🛑 nothing was sent`;
  if (refused === 0) return mrkdwn`✅ ${accepted} accepted`;
  return mrkdwn`${accepted === 0 ? '🔴' : '🟡'} ${accepted} accepted, ${refused} refused`;
}
