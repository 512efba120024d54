/** What typed text has instead of plain characters. The last five are what names have where Notif shows them, and people copy those. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛′]/g, "'"],
  [/[‐‑‒–—−]/g, '-'],
  [/[∶：]/g, ':'],
  [/∗/g, '*'],
  [/∼/g, '~'],
  [/ˍ/g, '_'],
  [/ˋ/g, '`'],
];

/** Undoes what phones insert in typed text, such as typographic quotes and dashes, and what Notif's messages show instead of formatting. */
export function straightened(text: string): string {
  return INSTEAD.reduce((straight, [instead, plain]) => straight.replace(instead, plain), visible(text));
}

/** Omits the characters that nobody sees, which web pages and phones leave in copied text: zero-width spaces, marks of direction. */
export function visible(text: string): string {
  return text.replace(/\p{Cf}/gu, '');
}

/** In single quotes or code marks. */
const QUOTED = /^['`‘’‚‛«]+(?!['`‘’‚‛«])(.*[^'`‘’‚‛»])['`‘’‚‛»]+$/;

/** Without unseen characters, and the blanks, quotes and code marks around it. An apostrophe at one of its ends alone is its own. */
export function bare(word: string): string {
  const unquoted = visible(word)
    .trim()
    .replace(/^["“”„‟]+|(?<!["“”„‟])["“”„‟]+$/g, '');
  return QUOTED.exec(unquoted)?.[1]?.trim() ?? unquoted;
}

export function withoutPunctuation(word: string): string {
  return word.replace(/(?<![.,;!?])[.,;!?]+$/, '');
}

/**
 * Returns a name for comparison without case. Only this function does that, since PostgreSQL's `lower()` depends on the database's locale
 * and differs from JavaScript's. It goes by way of capitals, so that 'ΟΔΟΣ', 'οδος' and 'οδοσ' are the same. A name with a dash or an
 * apostrophe that commands straighten is the same as the straight one.
 */
export function fold(name: string): string {
  const straight = straightened(name.normalize('NFC')).replace(/\s+/gu, ' ');
  return straight.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

export function isAmong(values: readonly (string | null)[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const known = new Set(wanted.map(fold));
  return values.some((value) => value !== null && known.has(fold(value)));
}
