import type { HomeView, KnownBlock } from '@slack/types';
import type { Status } from '../../../health/status.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { openIncidents, type Some } from '../../../incidents/lists.ts';
import { nearest } from '../../../lib/closed-list.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { EXAMPLES } from '../../../lib/input/filters.ts';
import type { Access } from '../../../lib/people.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  button,
  context,
  divider,
  type MessageContent,
  message,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { OPEN_FIND, OPEN_TRIGGER, runButton, writeValue } from '../../kit/buttons.ts';
import { incidentText } from '../../kit/incident/incident-row.ts';
import { incidentActions } from '../../kit/incident/incident-verbs.ts';
import { applying, badge, bold, code, firstOf, joined, type Line, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command, Flow } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { routesFor } from '../../router/route.ts';
import { type CheckingCtx, environmentWords, isAbnormal, statusHeadline, statusNow, troubleRows } from './status.ts';

export function helpCommand(ctx: SlackCtx, others: readonly Command[]): Command {
  const help: Command = {
    word: 'help',
    usage: '[command]',
    about: 'this list, or how to use one command',
    examples: ['watch'],
    for: 'everyone',
    filters: [],
    answer: async ({ words: [word] }, interaction) => {
      if (word === undefined) return interaction.reply.show(await overview(ctx, all, interaction));
      const named = all.find((command) => command.word === word.toLowerCase());
      if (named !== undefined) return interaction.reply.show(commandHelp(named));
      const names = all.map((command) => command.word);
      const near = nearest(word, names);
      const guess = near === null ? '' : ` Did you mean ${near}?`;
      throw new InputError('help', `There is no command ${word}.${guess}`, `/notif help ${near ?? 'watch'}`);
    },
  };
  const all = [...others, help];
  return help;
}

async function overview(ctx: SlackCtx, commands: readonly Command[], { userId }: Interaction) {
  const { accessControl, environments } = ctx;
  const [members, operators] = await Promise.all([
    accessControl.canUse(userId, 'members'),
    accessControl.canUse(userId, 'operators'),
  ]);
  return helpMessage(commands, { everyone: true, members, operators }, environments);
}

const PURPOSES: readonly (readonly [purpose: string, words: readonly string[]])[] = [
  ['Look something up', ['event', 'events', 'messages', 'topic', 'integrations']],
  ['See what fails', ['failures', 'chart', 'history', 'handover', 'changes']],
  ['Handle an incident', ['ack', 'note', 'mute', 'unmute', 'resolve', 'reopen', 'resend']],
  ['Get alerts here', ['watch', 'watches', 'unwatch', 'env']],
  ['Change something', ['trigger', 'credentials', 'deployed', 'audit']],
  ['Notif itself', ['status', 'doctor', 'help']],
];

type Permissions = { [access in Access]: boolean };

export function helpMessage(
  commands: readonly Command[],
  permissions: Permissions,
  environments: readonly Environment[],
): MessageContent {
  const usable = commands.filter((command) => permissions[command.for]);
  const lines = PURPOSES.flatMap(([purpose, words]) => {
    const shown = usable.filter(({ word }) => words.includes(word)).map(({ word }) => code(word));
    return shown.length === 0 ? [] : [mrkdwn`${bold(purpose)}\n${joined(shown, ' ')}`];
  });
  const head = mrkdwn`*Notif* shows what happened to a notification and what fails, and sends tests. Type ${code('/notif')} and one of these, an ID, or ${code('help')} and a command.`;
  const foot = applying([refusedLine(permissions), environmentsLine(environments)]);
  return message(joined([head, ...lines], '\n'), [
    section(head),
    section(joined(lines, '\n')),
    ...(foot.length === 0 ? [] : [context(...foot)]),
  ]);
}

function refusedLine({ members, operators }: Permissions): Line {
  if (!members) return mrkdwn`You can look things up here as a guest. Members of this workspace can do more.`;
  return !operators && mrkdwn`Operators can also send tests, change credentials and see the audit trail.`;
}

const MOST_NAMED = 20;

function environmentsLine(environments: readonly Environment[]): Line {
  if (environments.length < 2) return null;
  const names = environments.map(({ name }) => code(`env:${name}`));
  return mrkdwn`Environments: ${joined(firstOf(names, MOST_NAMED), ', ')}`;
}

export function commandHelp({ word, usage, about, examples, filters }: Command): MessageContent {
  const typed = (rest: string) => `/notif ${word} ${rest}`.trim();
  const shown = examples.map((example) => code(typed(example)));
  const keys = filters.map((key) => code(EXAMPLES[key]));
  const lines = [
    mrkdwn`${code(typed(usage), 100)} — ${about}`,
    shown.length > 0 && mrkdwn`e.g. ${joined(shown, ' · ')}`,
    keys.length > 0 && mrkdwn`Filters: ${joined(keys, ' · ')}`,
  ];
  return sentence(joined(lines, '\n'));
}

const REFRESH = 'home.refresh';

export type HomeCtx = CheckingCtx & Pick<SlackCtx, 'accessControl' | 'client'>;

export function homeFlow(ctx: HomeCtx): Flow {
  const routes = routesFor('everyone', [
    {
      surface: 'home',
      name: 'app_home_opened',
      answer: ({ userId }) => showHome(ctx, userId),
    },
    { surface: 'action', id: REFRESH, answer: ({ userId }) => showHome(ctx, userId) },
  ]);
  return { commands: [], routes };
}

const MOST_SHOWN = 10;

async function showHome(ctx: HomeCtx, userId: string): Promise<void> {
  const { client, db, environments, logger, now } = ctx;
  const names = environments.map(({ name }) => name);
  const [status, open, canTrigger] = await Promise.all([
    statusNow(ctx),
    openIncidents(db, names, MOST_SHOWN, now()).catch((err: unknown) => {
      logger.error({ err }, "Database couldn't be asked for a Home tab");
      return null;
    }),
    ctx.accessControl.canUse(userId, 'operators'),
  ]);
  await client.views.publish({ user_id: userId, view: homeView({ status, open, canTrigger }, environments) });
}

type Home = { status: Status; open: Some<IncidentNow> | null; canTrigger: boolean };

export function homeView({ status, open, canTrigger }: Home, environments: readonly Environment[]): HomeView {
  return {
    type: 'home',
    blocks: [
      section(statusHeadline(status)),
      ...(open?.items ?? []).flatMap((incident) => openIncidentRow(incident, environments)),
      ...(open?.more ? [context(mrkdwn`${plural(open.more, 'more open incident')}: ${code('/notif history')}`)] : []),
      divider(),
      ...troubleRows(status)
        .slice(0, MOST_SHOWN)
        .map((row) => section(row)),
      ...environmentRows(status),
      ...actions([
        canTrigger && button('Send a test', OPEN_TRIGGER, writeValue([])),
        button('Look up', OPEN_FIND, writeValue([])),
        button('Refresh', REFRESH, writeValue([])),
        runButton('Help', 'help'),
      ]),
      context(mrkdwn`Updated ${time(status.at)}`),
    ],
  };
}

function openIncidentRow(incident: IncidentNow, environments: readonly Environment[]): KnownBlock[] {
  const where = environments.length > 1 ? badge(labelled(incident.tally.kind.environment, environments)) : null;
  return [section(incidentText(incident, { beside: where })), incidentActions(incident, null)];
}

/** With ten incidents and troubles, a Home tab has at most 55 of Slack's 100 blocks. */
const MOST_ENVIRONMENTS = 20;

function environmentRows({ environments }: Status): KnownBlock[] {
  const sorted = environments.toSorted((a, b) => Number(isAbnormal(b)) - Number(isAbnormal(a)));
  const left = sorted.length - MOST_ENVIRONMENTS;
  const more = context(mrkdwn`${plural(left, 'more environment')}: ${code('/notif status')}`);
  const rows = sorted.slice(0, MOST_ENVIRONMENTS).map((status) => section(environmentWords(status)));
  return left > 0 ? [...rows, more] : rows;
}
