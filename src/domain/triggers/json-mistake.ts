/** Any characters except quotes, backslashes and controls, and escape sequences. */
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/.source;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/.source;

/** One JSON token with the white space before it: a text, another scalar, or a punctuation mark. */
const TOKEN = new RegExp(`[ \\t\\n\\r]*(?:(?<text>${TEXT})|(?<scalar>${SCALAR})|(?<sign>[{}[\\],:]))`, 'gy');

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

/**
 * Returns where a text stops being JSON, counted from 0: at the first misplaced token, or at its end if it ends too early. Null for JSON.
 * `JSON.parse` gives the position only in some versions of Node, and quotes the text around it.
 */
export function whereNotJson(text: string): number | null {
  const open: string[] = [];
  let expected: Expected = 'value';
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const { text: string, scalar, sign } = match.groups ?? {};
    const next = after(expected, sign ?? (string === undefined ? 'scalar' : 'text'), open);
    if (next === null) return end + match[0].length - (sign ?? string ?? scalar ?? '').length;
    expected = next;
    end += match[0].length;
  }
  const rest = text.slice(end).search(/[^ \t\n\r]/);
  if (rest !== -1) return end + rest;
  return expected === 'comma or end' && open.length === 0 ? null : text.length;
}

/** What of a JSON text would be lost without a word, and where. */
export interface Loss {
  readonly is: 'rounded' | 'repeated';
  readonly at: number;
}

/**
 * Finds what wouldn't be sent as it's written in a JSON text: an integer of too many digits, a number that no double can hold, or a name
 * that an object has already. Null if there is none. Decimals aren't exact in any case.
 */
export function findLoss(json: string): Loss | null {
  const namesOfOpen: Set<string>[] = [];
  let last = { text: '""', at: 0 };
  for (const { index, 0: token, groups } of json.matchAll(TOKEN)) {
    const { text, scalar, sign } = groups ?? {};
    const at = index + token.length - (text ?? scalar ?? sign ?? '').length;
    if (scalar !== undefined && isRounded(scalar)) return { is: 'rounded', at };
    if (text !== undefined) last = { text, at };
    if (sign === '{' || sign === '[') namesOfOpen.push(new Set());
    if (sign === '}' || sign === ']') namesOfOpen.pop();
    if (sign !== ':') continue;
    const [name, names] = [JSON.parse(last.text), namesOfOpen.at(-1)];
    if (names?.has(name)) return { is: 'repeated', at: last.at };
    names?.add(name);
  }
  return null;
}

function isRounded(scalar: string): boolean {
  const number = Number(scalar);
  if (!/\d/.test(scalar) || Number.isSafeInteger(number)) return false;
  return !Number.isFinite(number) || (/^-?\d+$/.test(scalar) && JSON.stringify(number) !== scalar);
}

/** Returns what can follow a token, given the closing brackets of the open objects and lists; null if the token is misplaced. */
function after(expected: Expected, token: string, open: string[]): Expected | null {
  switch (expected) {
    case 'value':
    case 'value or end':
      if (token === 'text' || token === 'scalar') return 'comma or end';
      if (token === '{' || token === '[') return opened(token, open);
      return expected === 'value or end' && token === ']' ? closed(token, open) : null;
    case 'key':
    case 'key or end':
      if (token === 'text') return 'colon';
      return expected === 'key or end' && token === '}' ? closed(token, open) : null;
    case 'colon':
      return token === ':' ? 'value' : null;
    case 'comma or end':
      if (token !== ',') return closed(token, open);
      return open.length === 0 ? null : open.at(-1) === '}' ? 'key' : 'value';
  }
}

function opened(token: '{' | '[', open: string[]): Expected {
  open.push(token === '{' ? '}' : ']');
  return token === '{' ? 'key or end' : 'value or end';
}

function closed(token: string, open: string[]): Expected | null {
  return token === open.at(-1) && open.pop() !== undefined ? 'comma or end' : null;
}
