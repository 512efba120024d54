import { straightened } from '../fold.ts';

/** Returns what was typed, before Slack made links of addresses, and phones typographic signs. */
export function withoutSlackEscapes(text: string): string {
  const unwrapped = text.replace(/<((?:https?|mailto|tel):[^<>|\s]*)(?:\|([^<>]*))?>/g, (_, url: string, label = '') =>
    label === url.replace(/^(?:mailto:|tel:|https?:\/\/)/, '') ? label : url.replace(/^(?:mailto|tel):/, ''),
  );
  return straightened(unescaped(unwrapped));
}

/** `&` comes last: `&amp;lt;` becomes `&lt;`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `<@U0ANN|ann>` becomes `@ann`. */
export function referencesAsText(value: string): string {
  return value.replace(/<([@#!])[^<>|\s]*\|[@#]?([^<>]+)>/g, (_, sign: string, label: string) =>
    sign === '#' ? `#${label}` : `@${label}`,
  );
}

/** `env: "staging,production"`. Within blanks it's tried only at the first one: there can be thousands. */
const ENVIRONMENT = /(?:^|[\s,;(])(?<!\s\s)\s*env:\s*["“”'‘’]?([^\s;()"“”'‘’]*[\p{L}\p{N}_-])["“”'‘’]?/giu;
/** `*failures*:`, `/notif failures` */
const FIRST_WORD = /^[\s`*_~\p{Cf}]*(?:\/notif\s+)?([a-z]+)[.,:;!?`*_~]*(?=\s|$)/iu;

/** Leaves out what people write around one of the words at the beginning. */
export function plainCommand(text: string, words: readonly string[]): string {
  const word = text.match(FIRST_WORD)?.[1]?.toLowerCase() ?? '';
  return words.includes(word) ? text.replace(FIRST_WORD, (_, first: string) => first) : text;
}

export function environmentsIn(text: string): { names: string[]; rest: string } {
  const names = [...text.matchAll(ENVIRONMENT)].flatMap(([, list = '']) => list.split(','));
  return { names: names.filter((name) => name !== ''), rest: text.replaceAll(ENVIRONMENT, '') };
}
