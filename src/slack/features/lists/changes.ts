import { deployName, type EnvironmentChange, MAY_EXPLAIN_MS } from '../../../changes/change.ts';
import { type ChangesPage, changesSince, noteDeploy } from '../../../changes/changes.ts';
import { type Environment, environmentNamed, labelled } from '../../../lib/environment.ts';
import { onlyValue, parseCommandText } from '../../../lib/input/filters.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type MessageContent, sentence } from '../../kit/blocks.ts';
import type { Cell } from '../../kit/data-table.ts';
import { changedWhen, changedWords } from '../../kit/incident/cause-words.ts';
import { listMessage, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { moreSinceButton, parseRequest, type SinceRequest, sinceCaption } from '../../kit/since-request.ts';
import { badge, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { atNear, time } from '../../kit/times.ts';
import { type Command, type CommandLine, type Flow, parseSince, SINCE_FILTERS } from '../../router/command.ts';
import type { CommandInteraction } from '../../router/interaction.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';

const EXAMPLE = '/notif deployed checkout 2.3';

export function changesFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: SinceRequest) => {
    const page = await changesSince(ctx.db, { ...request, limit: ROWS_LOADED });
    return changesMessage(page, request, { ...ctx, now: ctx.now() });
  };
  const changes: Command = {
    word: 'changes',
    usage: '[since: env:]',
    about: 'what was changed around an environment in the last day, or since:7d: integrations, workflows, deploys',
    examples: ['', 'since:7d env:production'],
    for: 'everyone',
    filters: SINCE_FILTERS,
    follows: 'filters',
    environments: 'several',
    answer: async (line, { reply }) => {
      const request = parseSince(line, { usualMs: DAY_MS, ...ctx });
      const environments = request.environments.length === 0 ? [line.environment.name] : request.environments;
      await reply.show(await messageOf({ ...request, environments }));
    },
  };
  const deployed: Command = {
    word: 'deployed',
    usage: '<what> [env:]',
    about: 'report a deploy: what fails shortly after it says so',
    examples: ['checkout 2.3', 'new mail templates env:staging'],
    for: 'members',
    filters: ['env'],
    follows: 'text',
    answer: (line, interaction) => reportDeploy(ctx, line, interaction),
  };
  const more = answerRoutes([MORE_CHANGES], parseRequest, messageOf);
  return { commands: [changes, deployed], routes: routesFor('everyone', more) };
}

/** Matches `env:` anywhere in the text, written as in other commands, with what separates it. The rest is the deploy's name. */
const ENVIRONMENT = /(?:(?<!\S)|[,;]\s*)(env:(?:"[^"]*"|\S*))/giu;

async function reportDeploy(
  ctx: SlackCtx,
  { words: [typed = ''], environment: usual }: CommandLine,
  { reply, userId, channelId: channel }: CommandInteraction,
): Promise<void> {
  const { filters } = parseCommandText([...typed.matchAll(ENVIRONMENT)].map(([, filter]) => filter).join(' '));
  const named = onlyValue('env', filters);
  const environment = named === undefined ? usual : environmentNamed(named, ctx.environments);
  const name = deployName(typed.replaceAll(ENVIRONMENT, ' ').replace(/\s+/gu, ' '), EXAMPLE);
  const isNew = await noteDeploy(ctx, { environment: environment.name, name, by: { userId, channel } });
  await reply.show(deployNoted(name, environment, isNew));
}

export const MORE_CHANGES = 'changes.more';

export interface ChangesOptions {
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: Date;
}

export function changesMessage(page: ChangesPage, request: SinceRequest, options: ChangesOptions): MessageContent {
  const { changes, hasOlder } = page;
  const last = (shown: number) => olderThan(changes, hasOlder, shown);
  return listMessage({
    caption: (shown) => {
      const caption = sinceCaption(request, options.environments, { shown, isMore: last(shown) !== null });
      return shown === 0 ? mrkdwn`${caption} (integrations, workflows, deploys)` : caption;
    },
    columns: ['Change', 'When', 'Reported by', 'Environment'],
    rows: changes.map((change) => ({ cells: cellsOf(change, options) })),
    notes: comparedLines(page, request, options),
    buttons: (shown) => moreSinceButton(MORE_CHANGES, request, last(shown)?.id),
  });
}

function cellsOf(change: EnvironmentChange, { environments }: ChangesOptions): Cell[] {
  const { what, environment } = change;
  const by = what.kind === 'deploy' && what.by !== null ? person(what.by) : '';
  return [changedWords(what), changedWhen(change), by, badge(labelled(environment, environments))];
}

/** So that nobody reads too much into an empty list. */
function comparedLines({ compared }: ChangesPage, request: SinceRequest, options: ChangesOptions): Markup[] {
  const known = request.environments.map((name) => {
    const label = badge(labelled(name, options.environments));
    const one = compared.find(({ environment }) => environment === name);
    return one === undefined
      ? mrkdwn`⚠️ ${label}: integrations not compared yet`
      : mrkdwn`${label}: integrations compared since ${time(one.since, 'day')}, last ${atNear(one.lastAt, options.now, 'minute')}`;
  });
  return [
    ...known,
    mrkdwn`Notif reads no credentials: a rotated key isn't listed. Kept for ${options.retentionDays} days.`,
  ];
}

export function deployNoted(name: string, environment: Environment, isNew: boolean): MessageContent {
  const text = isNew
    ? mrkdwn`🚀 Deploy noted in ${badge(environment)}: ${name}. An incident that begins within ${describeDuration(MAY_EXPLAIN_MS)} names it.`
    : mrkdwn`This deploy was noted in ${badge(environment)} a moment ago: ${name}.`;
  return sentence(text);
}
