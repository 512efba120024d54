import { straightened } from '../fold.ts';

/** A text's first word, which may be a command, with what people paste before it and type after it: `/notif failures: …`. */
const FIRST_WORD = /^[\s`\p{Cf}]*(?:\/notif\s+)?([a-z]+)[.,:;!?`]*(?=\s|$)/iu;
/** Text in code marks as a whole. */
const IN_CODE = /^\s*(`{1,3})([^`]*)\1\s*$/u;

/**
 * Returns typed text that begins with one of the commands' words, without what people paste before that word and type after it, and without
 * the code marks around the whole. Other text is returned as it is.
 */
export function plainCommand(text: string, words: readonly string[]): string {
  const bare = text.match(IN_CODE)?.[2] ?? text;
  const word = bare.match(FIRST_WORD)?.[1];
  if (word === undefined || !words.includes(word.toLowerCase())) return text;
  return bare.replace(FIRST_WORD, word);
}

/** What was probably meant: a command, how it is suggested, and the text that runs it. */
export interface MeantCommand {
  readonly command: string;
  readonly shown: string;
  readonly text: string;
}

/** In a longer text, a command's name is likely just a word. */
const MOST_WORDS = 3;
const SHORTEST_PART = 3;
/** What people write around a command as if to a person: `show me all failures`. */
const AROUND = /^(?:show|list|get|give|see|view|print|display|check|me|us|my|our|the|all|please|pls)$/i;

/** Returns the command that was typed after its words (`weekly list`), or that the first word begins with or begins (`acknowledge`, `hist`). */
export function meantCommand(
  typed: string,
  words: readonly string[],
  commands: readonly string[],
): MeantCommand | null {
  const [word = '', ...others] = words;
  const isCommand = (one: string) => commands.includes(one.toLowerCase());
  const isMuch = words.filter((one) => !AROUND.test(one)).length > MOST_WORDS;
  const late = isMuch ? undefined : others.find(isCommand);
  if (late !== undefined) {
    const pieces = typed.split(/\s+/).filter((piece) => bare(piece) !== '' && !AROUND.test(bare(piece)));
    const command = late.toLowerCase();
    const text = [command, ...pieces.filter((piece) => bare(piece) !== late)].join(' ');
    return { command, shown: text, text };
  }
  const part = word.toLowerCase();
  const alike = commands.filter((name) => part.startsWith(name) || name.startsWith(part));
  const [only] = /^[a-z]+$/.test(part) && part.length >= SHORTEST_PART && alike.length === 1 ? alike : [];
  return only === undefined ? null : correctedCommand(typed, word, only);
}

/**
 * Replaces a command's word, and keeps the rest as typed: without its filters it would ask something else. Null if the text has the word
 * only as a part of others, as in quotes.
 */
export function correctedCommand(typed: string, word: string, command: string): MeantCommand | null {
  const pieces = typed.split(/(\s+)/);
  const first = pieces.findIndex((piece) => bare(piece) === word);
  if (first === -1) return null;
  return { command, shown: command, text: pieces.map((piece, at) => (at === first ? command : piece)).join('') };
}

/** Returns a piece of typed text as the command's parser takes it. */
function bare(piece: string): string {
  return straightened(piece).replace(/[`"']/g, '');
}
