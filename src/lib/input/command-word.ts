import { straightened } from '../fold.ts';

/** A text's first word, which may be a command, with what people paste before it and type after it: `/notif failures: …`. */
const FIRST_WORD = /^[\s`\p{Cf}]*(?:\/notif\s+)?([a-z]+)[.,:;!?`]*(?=\s|$)/iu;
/** Text in code marks as a whole. */
const IN_CODE = /^\s*(`{1,3})([^`]*)\1\s*$/u;

/** Without what people paste before that word and type after it, and without the code marks around the whole. */
export function plainCommand(text: string, words: readonly string[]): string {
  const bare = text.match(IN_CODE)?.[2] ?? text;
  const word = bare.match(FIRST_WORD)?.[1];
  if (word === undefined || !words.includes(word.toLowerCase())) return text;
  return bare.replace(FIRST_WORD, word);
}

/** Keeps the rest as typed. Null if the text has the word only as a part of others, as in quotes. */
export function correctedText(typed: string, word: string, command: string): string | null {
  const pieces = typed.split(/(\s+)/);
  const first = pieces.findIndex((piece) => straightened(piece).replace(/[`"']/g, '') === word);
  return first === -1 ? null : pieces.map((piece, at) => (at === first ? command : piece)).join('');
}
