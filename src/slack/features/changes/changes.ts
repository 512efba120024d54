import { deployName, MAY_EXPLAIN_MS } from '../../../changes/change.ts';
import { type ChangesPage, changesSince, noteDeploy } from '../../../changes/changes.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { environmentsIn } from '../../../lib/input/slack-text.ts';
import { DAY_MS, describeDuration } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import { changedWhen, changedWords } from '../../incident-view/changed-words.ts';
import { type CommandList, commandList, olderCursor, ROWS_LOADED } from '../../kit/list.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { badge, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { atNear, time } from '../../kit/times.ts';
import { type Command, environmentIn } from '../../router/command.ts';
import { type SinceRequest, sinceCommand } from '../../router/since-command.ts';

export function changesCommand(ctx: SlackCtx): Command {
  return sinceCommand(ctx, {
    word: 'changes',
    purpose: 'failing',
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
    purpose: 'change',
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

export function changesMessage(
  { environments, now }: Pick<SlackCtx, 'environments' | 'now'>,
  request: SinceRequest,
  page: ChangesPage,
): MessageContent {
  const label = (name: string): Markup => badge(labeled(name, environments));
  const comparedLine = (name: string): Markup => {
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
      'Integrations with their credentials, workflows and reported deploys.',
    ],
  });
}

/** What the lists of changes and of the audit trail share. */
export function sinceList(
  word: string,
  { since, environments, page }: SinceRequest,
  { items, hasOlder }: { items: readonly { id: number }[]; hasOlder: boolean },
  configured: readonly Environment[],
): Omit<CommandList, 'columns' | 'rows'> {
  const badges = environments.map((name) => badge(labeled(name, configured)));
  return {
    text: commandText([word], { since: [since.toISOString()], env: environments }),
    page,
    title: badges.length === 0 ? 'All environments' : joined(badges, ', '),
    noun: 'change',
    nextCursor: (shown) => olderCursor(items, hasOlder, shown),
    isShareable: false,
  };
}
