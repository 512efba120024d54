import type { PostedMessage } from '../slack/page-protocol.ts';
import { wordsOf } from '../slack/workspace/words.ts';

/** What a message said when it was looked at last, by its ts. */
export type Seen = ReadonlyMap<string, readonly string[]>;

interface Looking {
  /** Who looks, by id, and what they are called by their ids. */
  readonly me: string;
  readonly nameOf: (id: string) => string;
  /** Milliseconds. */
  readonly now: number;
}

/** What has come, changed and gone since a conversation was looked at last, as lines for a note, and what is to be compared next time. */
export function changesIn(
  seen: Seen,
  messages: readonly PostedMessage[],
  looking: Looking,
): { readonly lines: readonly string[]; readonly seen: Seen } {
  const now = new Map(messages.map((message) => [message.ts, linesOf(message)]));
  const gone = [...seen.keys()].filter((ts) => !now.has(ts));
  return {
    lines: [
      ...messages.flatMap((message) => changeOf(message, seen.get(message.ts), looking)),
      ...gone.map((ts) => `${clock(looking.now)} the message of ${clockOf(ts)} is gone`),
    ],
    seen: now,
  };
}

function changeOf(message: PostedMessage, before: readonly string[] | undefined, looking: Looking): string[] {
  const { ts, author } = message;
  const now = linesOf(message);
  if (before === undefined) return [headOf(message, looking), ...now.map((line) => `    ${line}`)];
  const [removed, added] = [without(before, now), without(now, before)];
  if (removed.length + added.length === 0) return [];
  return [
    `${clock(looking.now)} ${looking.nameOf(author)} changes the message of ${clockOf(ts)}`,
    ...removed.map((line) => `  - ${line}`),
    ...added.map((line) => `  + ${line}`),
  ];
}

function headOf({ ts, author, onlyVisibleTo, threadTs, mentionsMe }: PostedMessage, { me, nameOf }: Looking): string {
  const notes = [
    ...(threadTs === null || threadTs === ts ? [] : [`in the thread of ${clockOf(threadTs)}`]),
    ...(onlyVisibleTo === null ? [] : [`only ${nameOf(onlyVisibleTo)} sees it`]),
    ...(mentionsMe ? [`mentions ${nameOf(me)}`] : []),
  ];
  return `${clockOf(ts)} ${nameOf(author)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** Where there are blocks, nobody reads the text beside them but in a notification. */
function linesOf(message: PostedMessage): string[] {
  const text = message.blocks.length === 0 ? message.text : '';
  return wordsOf({ ...message, text })
    .split('\n')
    .filter((line) => line !== '');
}

/** The lines of one text that the other does not have, as often as it lacks them. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function clockOf(ts: string): string {
  return clock(Number(ts) * 1_000);
}

/** The time of the day, in UTC, as the bot's own times are worded here. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
