import { oneOf } from '../../../lib/closed-list.ts';
import type { Environment } from '../../../lib/environment.ts';
import { exampleOf, meaningOf } from '../../../lib/input/filters.ts';
import type { Access } from '../../../lib/workspace.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, section } from '../../kit/blocks.ts';
import { asMessage, type MessageContent, message } from '../../kit/message.ts';
import { bold, code, joined, listed, type Markup, mrkdwn } from '../../kit/text.ts';
import { type Command, PURPOSES } from '../../router/command.ts';

export function helpCommand({ accessControl, environments }: SlackCtx, others: readonly Command[]): Command {
  const help: Command = {
    word: 'help',
    purpose: 'notif',
    usage: '[command]',
    about: 'this list, or how to use one command',
    examples: ['watch'],
    for: 'everyone',
    filters: [],
    answer: async ({ words: [word] }, { userId }) => {
      if (word === undefined) {
        const members = await accessControl.canUse(userId, 'members');
        const operators = await accessControl.canUse(userId, 'operators');
        return helpMessage(all, { everyone: true, members, operators }, environments);
      }
      const names = all.map((command) => command.word);
      const named = oneOf('help', word, names, 'command');
      return commandHelp(all.find((command) => command.word === named) ?? help);
    },
  };
  const all = [...others, help];
  return help;
}

type Permissions = Record<Access, boolean>;

export function helpMessage(
  commands: readonly Command[],
  permissions: Permissions,
  environments: readonly Environment[],
): MessageContent {
  const usable = commands.filter((command) => permissions[command.for]);
  const groups = Object.entries(PURPOSES).map(([name, purpose]) => {
    const shown = usable.filter((command) => command.purpose === name);
    return shown.length > 0 && section([bold(purpose), ...shown.map(commandLine)]);
  });
  const names = environments.map(({ name }) => code(`env:${name}`));
  const head = mrkdwn`*Notif* shows what happened to a notification and what fails, and sends tests. Type ${code('/notif')} and one of these, an ID, or ${code('help')} and a command.`;
  const named = environments.length > 1 && mrkdwn`Environments: ${listed(names)}`;
  return message([section(head), ...groups, context(refusedLine(permissions), permissions.members && NUMBERS, named)]);
}

const commandLine = ({ word, about }: Command): Markup => mrkdwn`${code(word)} — ${about}`;

const NUMBERS = 'Every incident gets a number, also one that no watch alerts to: in a channel, numbers skip.';

function refusedLine({ members, operators }: Permissions) {
  if (!members) return 'You can look things up here as a guest. Members of this workspace can do more.';
  return !operators && 'Operators can also send tests, change credentials and see the audit trail.';
}

function commandHelp({ word, usage, about, examples, filters }: Command) {
  const typed = (rest: string) => `/notif ${word} ${rest}`.trim();
  const shown = examples.map((example) => code(typed(example)));
  const keys = filters.map((key) => mrkdwn`${code(exampleOf(key))} — ${meaningOf(key)}`);
  return asMessage([
    mrkdwn`${code(typed(usage), 100)} — ${about}`,
    shown.length > 0 && mrkdwn`e.g. ${joined(shown)}`,
    ...keys,
  ]);
}
