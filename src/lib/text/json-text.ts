import { atOnce, type Work } from '../pauses.ts';

/** JSON that is written as it came: JavaScript would change its numbers, the order of its names and those that come twice. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like `JSON.stringify`, with each `RawJson` as it came. */
export function jsonText(value: unknown, indent = ''): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value))
    return inBrackets(
      '[',
      value.map((item) => jsonText(item ?? null, indent)),
      ']',
      indent,
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const colon = indent === '' ? ':' : ': ';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const written = fields.map(([name, field]) => `${JSON.stringify(name)}${colon}${jsonText(field, indent)}`);
  return inBrackets('{', written, '}', indent);
}

function inBrackets(open: string, items: readonly string[], close: string, indent: string): string {
  if (indent === '' || items.length === 0) return `${open}${items.join(',')}${close}`;
  const lines = items.map((item) => `\n${item}`.replaceAll('\n', `\n${indent}`));
  return `${open}${lines.join(',')}\n${close}`;
}

type Member = readonly [name: string, text: string];

/** Splits an object into names and the texts of their values, and a list (named by index) into those of its items. Needs valid JSON. */
export function membersOf(json: string): Member[] {
  const isList = json.startsWith('[');
  const members: Member[] = [];
  // Behind the bracket that begins it, and then behind each comma.
  let from = 1;
  while (from < json.length) {
    const end = atOnce(endOfValue(json, from));
    const member = json.slice(from, end).trim();
    if (member !== '') members.push(isList ? [String(members.length), member] : named(member));
    from = end + 1;
  }
  return members;
}

function named(member: string): Member {
  const nameEnd = closingQuote(member, 0) + 1;
  return [JSON.parse(member.slice(0, nameEnd)), member.slice(member.indexOf(':', nameEnd) + 1).trim()];
}

/** Looking at so many characters takes a few milliseconds. */
const PIECE = 512 * 1024;

/** A value ends at the next comma or bracket around it. */
function* endOfValue(json: string, from: number): Work<number> {
  let depth = 0;
  let pausedAt = from;
  for (let at = from; at < json.length; at += 1) {
    if (at - pausedAt >= PIECE) {
      yield;
      pausedAt = at;
    }
    const character = json.charAt(at);
    if (character === '"') at = closingQuote(json, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (depth === 0 && /[,}\]]/.test(character)) return at;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return json.length;
}

/** Returns the text's length if the string isn't closed. */
export function closingQuote(json: string, opening: number): number {
  let quote = json.indexOf('"', opening + 1);
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Parses valid JSON as deep as `depth`. A number that JavaScript would change is `RawJson`. */
export function exactValue(json: string, depth: number): unknown {
  if (depth > 0 && json.startsWith('[')) return membersOf(json).map(([, text]) => exactValue(text, depth - 1));
  if (depth > 0 && json.startsWith('{'))
    return Object.fromEntries(membersOf(json).map(([name, text]) => [name, exactValue(text, depth - 1)]));
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' && JSON.stringify(value) !== json ? new RawJson(json) : value;
}

/** Valid JSON without blanks, and with the usual escapes. It is the same only for what is the same, digit for digit. */
export function canonicalJson(json: string): string {
  let written = '';
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const textAt = quote === -1 ? json.length : quote;
    const textEnd = quote === -1 ? json.length : closingQuote(json, quote) + 1;
    const text = json.slice(textAt, textEnd);
    written += json.slice(at, textAt).replace(/\s+/g, '');
    written += text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
    at = textEnd;
  }
  return written;
}

/** Makes texts of the values of these fields: `{"payload": {"a": 1.0}}` becomes `{"payload": "{\"a\": 1.0}"}`. */
export function* writingFieldsAsText(json: string, names: readonly string[]): Work<string> {
  if (names.length === 0) return json;
  // A quote in a text has a backslash before it.
  const field = new RegExp(`(?<!\\\\)"(?:${names.join('|')})"\\s*:`, 'g');
  let written = '';
  let at = 0;
  for (const { 0: name, index } of json.matchAll(field)) {
    if (index < at) continue;
    yield;
    const from = index + name.length;
    const end = yield* endOfValue(json, from);
    written += json.slice(at, from) + (yield* quoting(json.slice(from, end).trim()));
    at = end;
  }
  return written + json.slice(at);
}

function* quoting(text: string): Work<string> {
  let quoted = '';
  for (let at = 0; at < text.length; at += PIECE) {
    yield;
    quoted += JSON.stringify(text.slice(at, at + PIECE)).slice(1, -1);
  }
  return `"${quoted}"`;
}
