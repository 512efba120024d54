import type { Gesture, Snapshot } from '../page-protocol.ts';

type Command = Snapshot['commands'][number];

/** The commands to offer for what has been typed so far: none once the command's word is finished by a space. */
export function offerCommands(typed: string, commands: readonly Command[]): readonly Command[] {
  return /^\/\S*$/.test(typed) ? commands.filter(({ command }) => command.startsWith(typed)) : [];
}

/** The command whose arguments are being typed, or null. */
export function commandBeingTyped(typed: string, commands: readonly Command[]): Command | null {
  const [word] = typed.split(/\s/);
  return typed.includes(' ') ? (commands.find(({ command }) => command === word) ?? null) : null;
}

/** What sending this text does, or null for blank text. A thread takes no commands: there, as in Slack, the text is said as it is. */
export function gestureFor(text: string, channel: string, threadTs: string | null): Gesture | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (threadTs !== null) return { do: 'say', channel, text: trimmed, threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed };
}
