import type { Environment } from '../../domain/environment.ts';
import { badge } from '../blocks/badge.ts';
import { context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { code, joined, type Markup, mrkdwn } from '../blocks/text.ts';

/** What help needs of a command. */
export interface HelpEntry {
  readonly word: string;
  readonly usage: string;
  readonly about: string;
  readonly examples: readonly string[];
  readonly forOperators: boolean;
}

/** The commands that somebody can use, with examples, and where they look. */
export function helpMessage(
  entries: readonly HelpEntry[],
  environments: readonly Environment[],
  isOperator: boolean,
): MessageContent {
  const usable = entries.filter((entry) => isOperator || !entry.forOperators);
  const places = environments.length > 1 ? [context(environmentsLine(environments))] : [];
  const refused = usable.length < entries.length ? [context(OPERATORS_ONLY)] : [];
  return message(spoken(usable), [
    section(mrkdwn`*Notif* looks up what happened to a notification, shows what is failing and why, and sends tests.`),
    ...usable.map((entry) => section(line(entry))),
    ...places,
    ...refused,
  ]);
}

const OPERATORS_ONLY = mrkdwn`Operators can send tests here too.`;

function line({ word, usage, about, examples }: HelpEntry): Markup {
  const shown = examples.map((example) => code(command(word, example)));
  const last = shown.length === 0 ? [] : [mrkdwn`e.g. ${joined(shown, ' · ')}`];
  return joined([mrkdwn`${code(command(word, usage), 100)} — ${about}`, ...last], '\n');
}

function command(word: string, rest: string): string {
  return `/notif ${word} ${rest}`.trim();
}

function environmentsLine(environments: readonly Environment[]): Markup {
  const [first, ...others] = environments;
  if (first === undefined) return mrkdwn`No environment is configured.`;
  const names = others.map((one) => code(`env:${one.name}`));
  return mrkdwn`Without ${code('env:')} they look in ${badge(first)}; others: ${joined(names, ', ')}.`;
}

function spoken(entries: readonly HelpEntry[]): Markup {
  return mrkdwn`Notif's commands: ${joined(
    entries.map(({ word, about }) => mrkdwn`/notif ${word}, ${about}`),
    '; ',
  )}.`;
}
