import type { PageAct, Snapshot } from '../page-protocol.ts';

type Command = Snapshot['commands'][number];

/** Something that what is being typed could become. */
export interface Offer {
  /** What is completed: '/notif', '@ann'. */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** The whole text once it is chosen. */
  readonly completed: string;
  /** The name is typed out already: choosing it would add nothing. */
  readonly isTyped: boolean;
}

/** The commands to offer for what has been typed so far: none once the command's word is finished by a space. */
export function offerCommands(typed: string, commands: readonly Command[]): readonly Offer[] {
  if (!/^\/\S*$/.test(typed)) return [];
  return commands
    .filter(({ command }) => command.startsWith(typed))
    .map(({ command, usageHint, description }) => ({
      ...{ name: command, usage: usageHint, description },
      completed: `${command} `,
      isTyped: command === typed,
    }));
}

/** The people, the bot among them, to offer for a name that the text ends with: '… @no'. */
export function offerPeople(typed: string, people: Snapshot['people']): readonly Offer[] {
  const begun = /(?:^|\s)@([\w-]*)$/.exec(typed)?.[1]?.toLowerCase();
  if (begun === undefined) return [];
  const before = typed.slice(0, typed.length - begun.length);
  return people
    .filter(({ name }) => name.toLowerCase().startsWith(begun))
    .map(({ name, isBot }) => ({
      ...{ name: `@${name}`, usage: '', description: isBot ? 'the app' : '' },
      completed: `${before}${name} `,
      isTyped: name.toLowerCase() === begun,
    }));
}

/** The command whose arguments are being typed, or null. */
export function commandBeingTyped(typed: string, commands: readonly Command[]): Command | null {
  const [word] = typed.split(/\s/);
  return typed.includes(' ') ? (commands.find(({ command }) => command === word) ?? null) : null;
}

/** What sending this text does, or null for blank text. The workspace refuses commands in a thread, as Slack does. */
export function actFor(text: string, channel: string, threadTs: string | null): PageAct | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const thread = threadTs === null ? {} : { threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed, ...thread };
}
