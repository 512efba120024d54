import { deployName, MAY_EXPLAIN_MS } from '../../../changes/change.ts';
import { type ChangesPage, changesSince, noteDeploy } from '../../../changes/changes.ts';
import { labelled } from '../../../lib/environment.ts';
import { environmentsIn } from '../../../lib/input/slack-text.ts';
import { DAY_MS, describeDuration } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import { ROWS_LOADED } from '../../kit/list.ts';
import { sentence } from '../../kit/message.ts';
import { badge, mrkdwn, person } from '../../kit/text.ts';
import { atNear, time } from '../../kit/times.ts';
import { changedWhen, changedWords } from '../../kit/words/change-words.ts';
import { type Command, environmentIn, type SinceRequest, sinceCommand } from '../../router/command.ts';
import { sinceList } from './since-list.ts';

export function changesCommand(ctx: SlackCtx): Command {
  const words = {
    word: 'changes',
    usage: '[since: env:]',
    about: 'changed integrations and workflows, and deploys, of the last day or since:7d',
    examples: ['', 'since:7d env:production'],
    for: 'everyone',
    usualMs: DAY_MS,
  } as const;
  return sinceCommand(ctx, words, async ({ environments, ...rest }, line) => {
    const request = { ...rest, environments: environments.length > 0 ? environments : [line.environment.name] };
    return changesMessage(ctx, request, await changesSince(ctx.db, { ...request, limit: ROWS_LOADED }));
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
    answer: async ({ text }, { reply, userId, channelId: channel }) => {
      const { names, rest } = environmentsIn(text);
      const environment = await environmentIn(ctx, channel, { env: names });
      const name = deployName(rest, '/notif deployed checkout 2.3');
      const isNew = await noteDeploy(ctx, { environment: environment.name, name, by: { userId, channel } });
      const said = isNew
        ? mrkdwn`🚀 Deploy recorded in ${badge(environment)}: ${name}. Incidents that start within ${describeDuration(MAY_EXPLAIN_MS)} will show it.`
        : mrkdwn`This deploy was recorded in ${badge(environment)} a moment ago: ${name}.`;
      await reply.show(sentence(said));
    },
  };
}

export function changesMessage(
  ctx: Pick<SlackCtx, 'environments' | 'now'>,
  request: SinceRequest,
  { changes, hasOlder, snapshots }: ChangesPage,
) {
  const { environments, now } = ctx;
  const label = (name: string) => badge(labelled(name, environments));
  const comparedLine = (name: string) => {
    const known = snapshots.get(name) ?? null;
    return known === null
      ? mrkdwn`⚠️ ${label(name)}: integrations not compared yet`
      : mrkdwn`${label(name)}: integrations compared since ${time(known.since, 'day')}, last ${atNear(known.readAt, now())}`;
  };
  return sinceList(ctx, request, {
    word: 'changes',
    ids: changes.map(({ id }) => id),
    hasOlder,
    columns: ['Change', 'When', 'Reported by', 'Environment'],
    rows: changes.map((change) => {
      const by = change.what.kind === 'deploy' && change.what.by !== null ? person(change.what.by) : '';
      return { cells: [changedWords(change.what), changedWhen(change), by, label(change.environment)] };
    }),
    notes: [
      ...request.environments.map(comparedLine),
      mrkdwn`Integrations, workflows and reported deploys; a rotated key isn't listed.`,
    ],
  });
}
