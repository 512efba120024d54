import type { PageAct, Snapshot } from '../page-protocol.ts';

type Command = Snapshot['commands'][number];

/** A possible completion of what is being typed. */
export interface Offer {
  /** The completed name: '/notif', '@ann'. */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** The whole text after the choice. */
  readonly completed: string;
  /** Whether the name is fully typed, so that choosing it adds nothing. */
  readonly isTyped: boolean;
}

/** Returns the commands to offer for the typed text; none after a space ends the command's word. */
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

/** Returns the people, including the bot, to offer for a name at the end of the text: '… @no'. */
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

/** Returns the command whose arguments are being typed, or null. */
export function commandBeingTyped(typed: string, commands: readonly Command[]): Command | null {
  const [word] = typed.split(/\s/);
  return typed.includes(' ') ? (commands.find(({ command }) => command === word) ?? null) : null;
}

/** Returns the act of sending this text, or null if it is blank. The workspace refuses commands in a thread, as Slack does. */
export function actFor(text: string, channel: string, threadTs: string | null): PageAct | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const thread = threadTs === null ? {} : { threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed, ...thread };
}
