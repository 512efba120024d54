import { ArgumentsError, HelpAsked } from './read-arguments.ts';
import { changesIn, followPage, PageRefusedError, type Seen } from './transcript/follow.ts';
import { readTranscriptArguments, type TranscriptArguments } from './transcript/transcript-arguments.ts';

try {
  await print(readTranscriptArguments(process.argv.slice(2)));
} catch (error) {
  if (error instanceof HelpAsked) console.log(error.message);
  else if (error instanceof ArgumentsError || error instanceof PageRefusedError) fail(error.message);
  // `fetch` throws a TypeError if there is no answer or it ends early.
  else if (error instanceof TypeError)
    fail("The sandbox isn't responding. Start it with npm run sandbox, or say --port.");
  else throw error;
}

/** Prints a conversation as one person sees it, and then its new and changed messages. */
async function print({ port, as, channel, once }: TranscriptArguments): Promise<void> {
  let seen: Seen = new Map();
  for await (const { me, people, conversations } of followPage(`http://127.0.0.1:${port}`, as)) {
    const conversation = conversations.find(({ name }) => name.toLowerCase() === channel.toLowerCase());
    if (conversation === undefined) return fail(`${me.name} is in no conversation called ${channel}.`);
    const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? id;
    const changes = changesIn(seen, conversation.messages, { me: me.id, nameOf, now: Date.now() });
    seen = changes.seen;
    for (const line of changes.lines) console.log(line);
    if (once) return;
  }
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
