import { auditEntries, BY_ITSELF, type EntryPage } from '../../../audit/audit.ts';
import type { ChangeOutcome } from '../../../audit/outcome.ts';
import { deployName, MAY_EXPLAIN_MS } from '../../../changes/change.ts';
import { type ChangesPage, changesSince, noteDeploy } from '../../../changes/changes.ts';
import { CHANNEL_REFUSAL_WORDS } from '../../../lib/channel-refusal.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { environmentsIn } from '../../../lib/input/slack-text.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS, describeDuration, WEEK_MS } from '../../../lib/time/durations.ts';
import { isDirectMessage } from '../../../lib/workspace.ts';
import { AuditedChange } from '../../../lookups/audited.ts';
import type { SlackCtx } from '../../ctx.ts';
import { noteWords } from '../../incident-view/incident-words.ts';
import { commandList, olderCursor, ROWS_LOADED } from '../../kit/list.ts';
import { asMessage } from '../../kit/message.ts';
import {
  atNear,
  badge,
  channelLink,
  code,
  joined,
  type Markup,
  mrkdwn,
  named,
  person,
  plural,
  time,
} from '../../kit/text.ts';
import { changedWhen, changedWords, channelVia, numberOf, watchCommand } from '../../kit/words.ts';
import { type Command, environmentIn, type SinceRequest, sinceCommand } from '../../router/command.ts';

export function changesCommand(ctx: SlackCtx): Command {
  return sinceCommand(ctx, {
    word: 'changes',
    usage: '[since: env:]',
    about: 'changed integrations and workflows, and deploys, of the last day or since:7d',
    examples: ['', 'since:7d env:production'],
    for: 'everyone',
    usualMs: DAY_MS,
    answer: async ({ environments, ...rest }, line) => {
      const request = { ...rest, environments: environments.length > 0 ? environments : [line.environment.name] };
      return changesMessage(ctx, request, await changesSince(ctx.db, { ...request, limit: ROWS_LOADED }));
    },
  });
}

export function deployedCommand(ctx: SlackCtx): Command {
  return {
    word: 'deployed',
    usage: '<what> [env:]',
    about: 'record a deploy; incidents that start soon after will show it',
    examples: ['checkout 2.3', 'new mail templates env:staging'],
    for: 'members',
    filters: ['env'],
    follows: 'text',
    answer: async ({ text }, { userId, channelId: channel }) => {
      const { names, rest } = environmentsIn(text);
      const environment = await environmentIn(ctx, channel, { env: names });
      const name = deployName(rest, '/notif deployed checkout 2.3');
      await noteDeploy(ctx, { environment: environment.name, name, actor: { userId, channel } });
      return asMessage(
        mrkdwn`🚀 Deploy recorded in ${badge(environment)}: ${name}. Incidents that start within ${describeDuration(MAY_EXPLAIN_MS)} will show it.`,
      );
    },
  };
}

export function auditCommand(ctx: SlackCtx): Command {
  return sinceCommand(ctx, {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    usualMs: WEEK_MS,
    answer: async (request) =>
      auditMessage(ctx, request, await auditEntries(ctx.db, { ...request, limit: ROWS_LOADED })),
  });
}

type ListCtx = Pick<SlackCtx, 'environments' | 'now'>;

export function changesMessage({ environments, now }: ListCtx, request: SinceRequest, page: ChangesPage) {
  const label = (name: string) => badge(labeled(name, environments));
  const comparedLine = (name: string) => {
    const snapshot = page.snapshots.get(name);
    return snapshot
      ? mrkdwn`${label(name)}: integrations compared since ${time(snapshot.since)}, last ${atNear(snapshot.readAt, now())}`
      : mrkdwn`⚠️ ${label(name)}: integrations not compared yet`;
  };
  return commandList({
    ...sinceList('changes', request, page, environments),
    columns: ['Change', 'When', 'Reported by', 'Environment'],
    rows: page.items.map((change) => {
      const author = change.what.kind === 'deploy' && change.what.actor !== null ? person(change.what.actor) : '';
      return { cells: [changedWords(change.what), changedWhen(change), author, label(change.environment)] };
    }),
    notes: [
      mrkdwn`Since ${time(request.since)}`,
      ...request.environments.map(comparedLine),
      "Integrations, workflows and reported deploys; a rotated key isn't listed.",
    ],
  });
}

export function auditMessage({ environments }: ListCtx, request: SinceRequest, page: EntryPage) {
  return commandList({
    ...sinceList('audit', request, page, environments),
    columns: ['When', 'Who', 'Change', 'Outcome', 'Where'],
    rows: page.items.map(({ at, actor, channel, environment, outcome, change }) => ({
      cells: [
        time(at),
        actor === BY_ITSELF ? 'Notif' : person(actor),
        auditedWords(AuditedChange.safeParse(change).data ?? null, environments),
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

function sinceList(
  word: string,
  { since, environments, page }: SinceRequest,
  { items, hasOlder }: { items: readonly { id: number }[]; hasOlder: boolean },
  configured: readonly Environment[],
) {
  const badges = environments.map((name) => badge(labeled(name, configured)));
  return {
    text: commandText([word], { since: [since.toISOString()], env: environments }),
    page,
    title: badges.length === 0 ? 'All environments' : joined(badges, ', '),
    noun: 'change',
    nextCursor: (shown: number) => olderCursor(items, hasOlder, shown),
    isShareable: false,
  };
}

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
  erased: 'erased what was stored of a subscriber',
  'channel-environment': "set the channel's environment",
};

/** `change` is null if another version of Notif wrote it. */
export function auditedWords(change: AuditedChange | null, environments: readonly Environment[]): Markup {
  if (change === null) return mrkdwn`a change of another version`;
  const facts = [
    ACTION_WORDS[change.action] ?? change.action,
    'workflow' in change && mrkdwn`${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`,
    'subscriberId' in change && mrkdwn`of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`,
    'notifications' in change && mrkdwn`${plural(change.notifications, 'notification')} of`,
    'event' in change && code(change.event),
    'incident' in change && numberOf(change.incident.number),
    'incident' in change && named(channelVia(change.incident.channel, change.incident.provider)),
    change.action === 'watch-lost' && CHANNEL_REFUSAL_WORDS[change.why].why,
    'watch' in change && watchCommand(change.watch),
    'until' in change && mrkdwn`until ${time(change.until)}`,
    change.action === 'assigned' && mrkdwn`to ${person(change.to)}`,
    change.action === 'noted' && noteWords(change),
    change.action === 'channel-environment' &&
      mrkdwn`to ${change.to === null ? 'the first one' : badge(labeled(change.to, environments))}`,
  ];
  return joined(facts, ' ');
}

const OUTCOMES = {
  begun: '⏳ outcome not known yet',
  done: '✅ done',
  unknown: '🟡 outcome unknown: it may have gone through',
};

function outcomeWords(outcome: ChangeOutcome) {
  if (outcome.is === 'refused') return mrkdwn`🔴 nothing was changed (${outcome.why.replaceAll('-', ' ')})`;
  if (outcome.is !== 'sent') return OUTCOMES[outcome.is];
  const { accepted, refused } = outcome;
  if (accepted + refused === 0) return '🛑 nothing was sent';
  if (refused === 0) return mrkdwn`✅ ${accepted} accepted`;
  return mrkdwn`${accepted === 0 ? '🔴' : '🟡'} ${accepted} accepted, ${refused} refused`;
}
