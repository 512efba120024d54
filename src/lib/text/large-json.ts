import type { Work } from '../pauses.ts';
import { closingQuote } from './json-text.ts';
import { jsonIn } from './scrub.ts';

/** Parsing so many characters takes a few milliseconds. */
const PIECE = 512 * 1024;
const MAX_DEPTH = 1_000;

/** An array or object that isn't closed yet. */
interface Open {
  isArray: boolean;
  begin: number;
  /** Its text that isn't parsed yet is `text` and what follows from here. */
  from: number;
  /** Has null in place of each value of `parsed`. */
  text: string;
  /** Large values in it that were parsed by themselves, by index (after `items`) or key. */
  parsed: [key: string | number, value: unknown][];
  /** Of an array: its first items, of which `text` has nothing any more. */
  items: unknown[];
  /** Of an array: commas since `items`. */
  commas: number;
  /** Of an object: its last string, quoted. */
  key: string;
}

/** Parses what `JSON.parse` does, piece by piece, and returns undefined for other text. */
export function* parsingJson(text: string, piece: number = PIECE): Work<unknown> {
  if (text.length <= piece) return jsonIn(text);
  try {
    return yield* parsingLarge(text, piece);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function* parsingLarge(text: string, piece: number): Work<unknown> {
  // All of the text is the only item of this array.
  let inner = opened('[', -1);
  const outer: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = closingQuote(text, at) + 1;
      if (end > text.length) throw new SyntaxError('JSON ends in a string');
      if (!inner.isArray) inner.key = text.slice(at, end);
      at = end - 1;
    } else if (character === '{' || character === '[') {
      if (outer.push(inner) > MAX_DEPTH) throw new SyntaxError('JSON is too deep');
      inner = opened(character, at);
    } else if (character === ',' && inner.isArray) {
      inner.commas += 1;
      // Enough items for a piece are parsed.
      if (inner.text.length + at - inner.from < piece) continue;
      yield;
      parseItems(inner, text.slice(inner.from, at), at + 1);
    } else if (character === '}' || character === ']') {
      const parent = outer.pop();
      if (parent === undefined || inner.isArray !== (character === ']')) throw new SyntaxError('JSON ends early');
      // A small value is parsed with what is around it.
      if (at - inner.begin >= piece) {
        yield;
        parent.parsed.push([parent.isArray ? parent.commas : JSON.parse(parent.key), closed(inner, text, at)]);
        parent.text += `${text.slice(parent.from, inner.begin)}null`;
        parent.from = at + 1;
      }
      inner = parent;
    }
  }
  parseItems(inner, text.slice(inner.from), text.length);
  if (outer.length > 0 || inner.items.length > 1) throw new SyntaxError('JSON ends early or late');
  return inner.items[0];
}

function opened(bracket: '{' | '[', begin: number): Open {
  return { isArray: bracket === '[', begin, from: begin + 1, text: '', parsed: [], items: [], commas: 0, key: '' };
}

function closed(inner: Open, text: string, to: number): unknown {
  const rest = text.slice(inner.from, to);
  if (!inner.isArray) return Object.assign(JSON.parse(`{${inner.text}${rest}}`), Object.fromEntries(inner.parsed));
  parseItems(inner, rest, to);
  return inner.items;
}

function parseItems(array: Open, rest: string, from: number) {
  const text = array.text + rest;
  if (array.items.length > 0 && !/\S/.test(text)) throw new SyntaxError('JSON lacks an item');
  const items: unknown[] = Object.assign(JSON.parse(`[${text}]`), Object.fromEntries(array.parsed));
  for (const item of items) array.items.push(item);
  Object.assign(array, { from, text: '', parsed: [], commas: 0 });
}
