import { z } from 'zod';
import { type PostedMessage, type Snapshot, snapshotSchema } from '../slack/page-protocol.ts';
import { wordsOf } from '../slack/workspace/snapshot.ts';

/** The lines of each message at the last look, by its ts. */
export type Seen = ReadonlyMap<string, readonly string[]>;

interface Looking {
  /** The ID of the person who looks; `nameOf` returns a name for an ID. */
  readonly me: string;
  readonly nameOf: (id: string) => string;
  /** Milliseconds. */
  readonly now: number;
}

/** Returns what has come, changed and gone since the last look at a conversation, as lines, and the state to compare with next time. */
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

/** With blocks, the text is read only in notifications. */
function linesOf(message: PostedMessage): string[] {
  const text = message.blocks.length === 0 ? message.text : '';
  return wordsOf({ ...message, text })
    .split('\n')
    .filter((line) => line !== '');
}

/** Returns the lines of one text that the other lacks, as often as it lacks them. */
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

/** Formats the time of day in UTC, as in the bot's own texts here. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

export class PageRefusedError extends Error {
  override readonly name = 'PageRefusedError';
}

/**
 * Yields what a person sees of a running sandbox, now and after every change, until the sandbox ends.
 *
 * @throws PageRefusedError if nobody has the ID, or no sandbox answers; `TypeError` if nothing answers.
 */
export async function* followPage(origin: string, as: string): AsyncGenerator<Snapshot> {
  const response = await fetch(`${origin}/page/stream?as=${encodeURIComponent(as)}`);
  if (!response.ok) throw new PageRefusedError(await reasonOf(response));
  if (response.body === null) return;
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield snapshotSchema.parse(JSON.parse(data));
    }
  }
}

const refusal = z.object({ message: z.string() });

/** Returns the page's reason. An answer that isn't JSON is another program's, so no sandbox answers. */
async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return refusal.safeParse(body).data?.message ?? `No sandbox answers at ${new URL(response.url).host}.`;
}
