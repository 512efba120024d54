/** Any characters but quotes, backslashes and controls, and what is escaped. */
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/.source;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/.source;

/** One token of JSON with the white space before it: a text, another scalar, or a sign. */
const TOKEN = new RegExp(`[ \\t\\n\\r]*(?:(?<text>${TEXT})|(?<scalar>${SCALAR})|(?<sign>[{}[\\],:]))`, 'gy');

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

/**
 * Where a text stops being JSON, counted from 0: at the first token that can't stand there, or at its end where it ends too early.
 * Null for JSON. `JSON.parse` names the place on some versions of Node only, and quotes what stands around it.
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

/** What may follow a token, given the ends of the objects and lists that are open; null where the token can't stand there. */
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
