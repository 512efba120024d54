import type { Options } from './arguments.ts';
import { type PostedMessage, type Snapshot, snapshotSchema } from './slack/page-protocol.ts';
import { rawTextsOf } from './slack/workspace/snapshot.ts';
import { UserError } from './this-machine.ts';

export async function printTranscript({ port, as, channel, once }: Options<'transcript'>): Promise<void> {
  const name = channel.replace(/^#/, '').toLowerCase();
  let seen: ReadonlyMap<string, string> = new Map();
  for await (const data of followPage(`http://127.0.0.1:${port}`, idOf(as))) {
    const snapshot = snapshotSchema.parse(JSON.parse(data));
    const conversation = snapshot.conversations.find((each) => each.name.toLowerCase() === name);
    if (conversation === undefined) throw new UserError(`${snapshot.me.name} is in no conversation called ${channel}.`);
    const { messages } = conversation;
    for (const line of changesIn(seen, messages, snapshot)) console.log(line);
    seen = new Map(messages.map((message) => [message.ts, textOf(message)]));
    if (once) return;
  }
}

export function changesIn(
  seen: ReadonlyMap<string, string>,
  messages: readonly PostedMessage[],
  { me, people }: Pick<Snapshot, 'me' | 'people'>,
): readonly string[] {
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? id;
  const changed = messages.filter((message) => seen.get(message.ts) !== textOf(message));
  const gone = [...seen.keys()].filter((ts) => !messages.some((message) => message.ts === ts));
  const lines = changed.flatMap((message) => {
    const { ts, author, threadTs, onlyVisibleTo, mentionsMe } = message;
    const notes = [
      ...(seen.has(ts) ? ['changed'] : []),
      ...(threadTs === null || threadTs === ts ? [] : [`in the thread of ${clockOf(threadTs)}`]),
      ...(onlyVisibleTo === null ? [] : [`only ${nameOf(onlyVisibleTo)} sees it`]),
      ...(mentionsMe ? [`mentions ${me.name}`] : []),
    ];
    const about = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    return [`${clockOf(ts)} ${nameOf(author)}${about}`, textOf(message).replace(/^/gm, '    ')];
  });
  return [...lines, ...gone.map((ts) => `The message of ${clockOf(ts)} is gone`)];
}

/** With blocks, the text is read only in notifications. */
function textOf(message: PostedMessage): string {
  const words = rawTextsOf(message.blocks.length === 0 ? message : { ...message, text: '' });
  return words.replace(/\n+/g, '\n').trim();
}

const clockOf = (ts: string): string => new Date(Number(ts) * 1_000).toISOString().slice(11, 19);

function idOf(nameOrId: string): string {
  const id = nameOrId.replace(/^@/, '').toUpperCase();
  return /^[UW]0/.test(id) ? id : `U0${id}`;
}

async function* followPage(origin: string, as: string): AsyncGenerator<string> {
  const response = await fetch(`${origin}/page/stream?as=${encodeURIComponent(as)}`).catch(() => undefined);
  if (response?.ok !== true || response.body === null)
    throw new UserError(`No sandbox answers for ${as} at ${origin}. Start it with npm run sandbox, or say --port.`);
  let rest = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + chunk).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) yield data;
      }
    }
  } catch {
    throw new UserError(`The sandbox at ${origin} has stopped.`, 0);
  }
}
