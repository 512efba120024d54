import { straightened } from '../fold.ts';

export function withoutSlackEscapes(text: string): string {
  const unwrapped = text.replace(/<((?:https?|mailto|tel):[^<>|\s]*)(?:\|([^<>]*))?>/g, (_, url: string, label = '') =>
    label === url.replace(/^(?:mailto:|tel:|https?:\/\/)/, '') ? label : url.replace(/^(?:mailto|tel):/, ''),
  );
  return straightened(unescaped(unwrapped));
}

/** `&` last, so that `&amp;lt;` becomes `&lt;`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function asText(value: string): string {
  return value.replace(/<([@#!])[^<>|\s]*\|[@#]?([^<>]*)>/g, (_, sign: string, label: string) =>
    sign === '#' ? `#${label}` : `@${label}`,
  );
}

const FIRST_WORD = /^[\s`\p{Cf}]*(?:\/notif\s+)?([a-z]+)[.,:;!?`]*(?=\s|$)/iu;

export function plainCommand(text: string, words: readonly string[]): string {
  const word = text.match(FIRST_WORD)?.[1]?.toLowerCase() ?? '';
  return words.includes(word) ? text.replace(FIRST_WORD, '$1') : text;
}
