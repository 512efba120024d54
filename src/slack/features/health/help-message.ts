import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import { EXAMPLES } from '../../../lib/input/filters.ts';
import type { Access, Permission } from '../../../lib/people.ts';
import { context, type MessageContent, message, section } from '../../kit/blocks.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import type { Command } from '../../router/command.ts';

export type HelpEntry = Pick<Command, 'word' | 'usage' | 'about' | 'examples' | 'for' | 'filters'>;

/** Anyone who sees an answer from Notif can use what is for everyone. */
export type Permissions = { readonly [access in Access]: Permission };

/** What commands use without `env:`. */
export interface DefaultEnvironment {
  readonly environment: Environment;
  readonly isChannel: boolean;
}

export interface HelpEnvironments {
  readonly environments: readonly Environment[];
  /** Null if unknown. */
  readonly defaultEnvironment: DefaultEnvironment | null;
}

/** What a person can use or might be able to use; of a single command, its filters too. */
export function helpMessage(
  entries: readonly HelpEntry[],
  places: HelpEnvironments,
  permissions: Permissions,
): MessageContent {
  const usable = entries.filter((entry) => permissions[entry.for] !== 'no');
  const refused = refusedLine(permissions).map((line) => context(line));
  return message(fallbackText(usable), [
    section(mrkdwn`*Notif* looks up what happened to a notification, shows what is failing and why, and sends tests.`),
    ...usable.map((entry) => section(line(entry))),
    ...(entries.length === 1 ? usable.flatMap(filterBlocks) : []),
    ...(places.environments.length > 1 ? [context(environmentsLine(places))] : []),
    ...refused,
  ]);
}

function refusedLine({ members, operators }: Permissions): Markup[] {
  if (members === 'no') return [mrkdwn`You can look things up here as a guest. Members of this workspace can do more.`];
  if (operators === 'no')
    return [mrkdwn`Operators can do more here: send tests, change credentials, see the audit trail.`];
  if (operators === 'yes') return [];
  return [mrkdwn`Slack didn't say whether you're an operator, so commands for operators are listed too.`];
}

function line({ word, usage, about, examples }: HelpEntry): Markup {
  const shown = examples.map((example) => code(command(word, example)));
  const last = shown.length === 0 ? [] : [mrkdwn`e.g. ${joined(shown, ' · ')}`];
  return joined([mrkdwn`${code(command(word, usage), 100)} — ${about}`, ...last], '\n');
}

function filterBlocks({ filters }: HelpEntry): KnownBlock[] {
  const codes = filters.map((key) => code(EXAMPLES[key]));
  return codes.length === 0 ? [] : [section(mrkdwn`Filters: ${joined(codes, ' · ')}`)];
}

function command(word: string, rest: string): string {
  return `/notif ${word} ${rest}`.trim();
}

/** The names of more don't fit beside each other. */
const MOST_NAMED = 20;

function environmentsLine({ environments, defaultEnvironment }: HelpEnvironments): Markup {
  const named = (some: readonly Environment[]) => {
    const codes = some.map(({ name }) => code(`env:${name}`));
    return joined(firstOf(codes, MOST_NAMED), ', ');
  };
  if (defaultEnvironment === null) return mrkdwn`Environments: ${named(environments)}.`;
  const { environment, isChannel } = defaultEnvironment;
  const others = environments.filter(({ name }) => name !== environment.name);
  const where = isChannel ? ' in this channel' : '';
  return mrkdwn`Without ${code('env:')}, commands${where} use ${badge(environment)}; others: ${named(others)}.`;
}

function fallbackText(entries: readonly HelpEntry[]): Markup {
  const commands = entries.map(({ word, about }) => mrkdwn`/notif ${word}, ${about}`);
  return mrkdwn`Notif's commands: ${joined(commands, '; ')}.`;
}
