import { straightened } from '../fold.ts';

/** Slack escapes `&`, `<` and `>`, and wraps what looks like an address; phones insert typographic characters. */
export function withoutSlackEscapes(text: string): string {
  const unwrapped = text.replace(
    /<((?:https?|mailto|tel):[^<>|\s]*)(?:\|([^<>]*))?>/g,
    (_, url: string, label?: string) => typed(url, label),
  );
  return straightened(unescaped(unwrapped));
}

/** Undoes Slack's three escapes, `&` last, so that `&amp;lt;` becomes `&lt;` and not `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** `<@U0ANN|ann>` */
const REFERENCE = /<[@#!][^<>|\s]*\|([^<>]*)>/g;
const SIGN_OF_REFERENCE = /^[@#]?/;

/** Returns what was typed where Slack made a reference of text: `@ann`, `#oncall`. */
export function asText(value: string): string {
  return value.replace(REFERENCE, (reference: string, label: string) => {
    const sign = reference[1] === '#' ? '#' : '@';
    return label.replace(SIGN_OF_REFERENCE, sign);
  });
}

/** Returns the label if Slack made a link of what was typed (`anna@example.com`, `order.shipped`), else the pasted address. */
function typed(url: string, label: string | undefined): string {
  const bare = url.replace(/^(?:mailto:|tel:|https?:\/\/)/, '');
  return label === bare ? label : url.replace(/^(?:mailto|tel):/, '');
}

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
