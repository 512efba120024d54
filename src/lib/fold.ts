const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛′]/g, "'"],
  [/[‐‑‒–—−]/g, '-'],
  [/[∶：]/g, ':'],
  [/∗/g, '*'],
  [/∼/g, '~'],
  [/ˍ/g, '_'],
  [/ˋ/g, '`'],
];

/** Writes signs as keyboards have them, and leaves out what nobody sees. */
export function straightened(text: string): string {
  return LOOKALIKES.reduce((straight, [lookalikes, plain]) => straight.replace(lookalikes, plain), visible(text));
}

/** Such a joiner is a part of Persian and Devanagari words, and of emoji; nobody types one between Latin letters. */
const JOINER =
  /(?<=(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\p{Join_Control}(?=[\p{L}\p{M}]|\p{Extended_Pictographic})/u;
const UNSEEN = new RegExp(`(${JOINER.source})|[\\p{Cc}\\p{Cf}\\p{Cs}]`, 'gu');
const UNSEEN_FORMAT = new RegExp(`(${JOINER.source})|\\p{Cf}`, 'gu');

/** Leaves out characters that only format, such as marks of direction. */
export const visible = (text: string): string => text.replace(UNSEEN_FORMAT, (_, joiner = '') => joiner);

/** Unlike `visible`, hides control characters, too. */
export function withUnseenAs(sign: string, text: string): string {
  return text.replace(UNSEEN, (_, joiner: string | undefined) => joiner ?? sign);
}

/** `““user-1””`, or `'user-1'` */
const QUOTED = /^["“”„‟]+([^"“”„‟]*)["“”„‟]+$|^['`‘’‚‛«]+(.*[^'`‘’‚‛»])['`‘’‚‛»]+$/;

/** Strips quotes. An apostrophe at only one end belongs to the word. */
export function bare(word: string): string {
  const text = visible(word).trim();
  const quoted = QUOTED.exec(text);
  return (quoted === null ? text : (quoted[1] ?? quoted[2] ?? '')).trim();
}

/** Makes 'ΟΔΟΣ', 'οδος' and 'οδοσ' equal. PostgreSQL's `lower()` would depend on its locale. */
export function fold(name: string): string {
  const straight = straightened(name.normalize('NFC').replace(/\p{Join_Control}/gu, '')).replace(/\s+/gu, ' ');
  // Only capitals of ß and ẞ, and of σ and ς, are the same.
  return straight.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Whether one of the values is wanted. If none is named, all are. */
export function isAmong(values: readonly (string | null)[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const known = new Set(wanted.map(fold));
  return values.some((value) => value !== null && known.has(fold(value)));
}
