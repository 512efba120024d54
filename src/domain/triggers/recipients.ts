import { InputError } from '../errors.ts';
import { bare } from '../fold.ts';
import { MASK } from '../text/mask.ts';
import type { JsonObject } from '../text/payload.ts';
import { parseTypedObject } from './typed-json.ts';

export interface Row {
  readonly subscriberId: string;
  readonly content: JsonObject | null;
}

const LONGEST_ID = 255;
const EXAMPLE = 'user-1 {"orderId": "A-17"}';

/** A line has subscriber IDs, or one ID and its JSON object, or a JSON object with a `subscriber`. Throws `InputError` about the first wrong one. */
export function parseRecipients(pasted: string): readonly Row[] {
  const rows = pasted.split(/[\r\n]+/).flatMap((line, index) => {
    try {
      return readLine(line);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError('subscribers', `Line ${index + 1}: ${error.message}`, EXAMPLE);
    }
  });
  if (rows.length === 0) throw new InputError('subscribers', 'Give at least one subscriber ID.', 'user-1');
  return rows;
}

function readLine(line: string): readonly Row[] {
  const at = line.indexOf('{');
  const ids = idsIn(at === -1 ? line : line.slice(0, at));
  if (at === -1) return ids.map((subscriberId) => ({ subscriberId, content: null }));
  const { subscriber, ...content } = parseTypedObject('payload', line.slice(at), EXAMPLE);
  if (ids.length > 1) throw new InputError('subscribers', 'a payload goes with one subscriber.');
  const [typed] = ids;
  if (typed !== undefined)
    return [{ subscriberId: typed, content: subscriber === undefined ? content : { ...content, subscriber } }];
  if (typeof subscriber !== 'string' || subscriber.trim() === '')
    throw new InputError('subscribers', 'the subscriber is missing.');
  return [{ subscriberId: checked(subscriber.trim()), content }];
}

export function lineFor(subscriberId: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N}._@+|:-]*$/u.test(subscriberId)
    ? subscriberId
    : JSON.stringify({ subscriber: subscriberId });
}

/** Without a letter or a digit it's a bullet or a bracket. */
const ID = /[\p{L}\p{N}]/u;

function idsIn(text: string): string[] {
  const ids = text
    .split(/[\s,;[\]]+/)
    .map(bare)
    .filter((id) => ID.test(id));
  if (ids.some((id) => /^subscribers?$/i.test(id)))
    throw new InputError('subscribers', 'tables can’t be read. Write one ID a line, or an ID and its JSON.');
  return ids.map(checked);
}

function checked(id: string): string {
  if (id.includes(MASK)) throw new InputError('subscribers', `an ID with ${MASK} in it is masked. Give the whole one.`);
  if (id.length > LONGEST_ID) throw new InputError('subscribers', `an ID has at most ${LONGEST_ID} characters.`);
  return id;
}
