import { InputError } from '../lib/errors.ts';
import { bare } from '../lib/fold.ts';
import { MASK } from '../lib/text/mask.ts';
import { type Payload, parseTypedObject } from '../lib/text/payload.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import { orServiceError, ServiceError } from '../service/service-error.ts';

/** In characters. */
export const LONGEST_ID = 255;
const ROW_EXAMPLE = 'user-1 {"orderId": "A-17"}';

/** A recipient as typed, with content of its own if the line has some. */
export interface TypedRecipient {
  subscriberId: string;
  content: Payload | null;
  /** Its line in the form, from 1. */
  line?: number;
}

/** A line has subscriber IDs, one ID and its JSON object, or a JSON object with a `subscriber`. */
export function parseRecipients(pasted: string): readonly TypedRecipient[] {
  const rows = pasted.split(/\r\n?|\n/).flatMap((line, index) => {
    try {
      return readLine(line).map((row) => ({ ...row, line: index + 1 }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError('subscribers', `Line ${index + 1}: ${error.message}`, ROW_EXAMPLE);
    }
  });
  if (rows.length === 0) throw new InputError('subscribers', 'Give at least one subscriber ID.', 'user-1');
  return rows;
}

function readLine(line: string): readonly TypedRecipient[] {
  const brace = line.indexOf('{');
  const ids = idsIn(brace === -1 ? line : line.slice(0, brace).replace(/[\s:=]+$/, ''));
  if (brace === -1) return ids.map((subscriberId) => ({ subscriberId, content: null }));
  const content = parseTypedObject('payload', line.slice(brace), ROW_EXAMPLE);
  const [typed, ...others] = ids;
  if (typed !== undefined && others.length === 0) return [{ subscriberId: typed, content }];
  const { subscriber } = content.content;
  if (typed !== undefined || typeof subscriber !== 'string' || subscriber.trim() === '')
    throw new InputError('subscribers', 'a payload goes with one subscriber.');
  return [{ subscriberId: checkedId(subscriber.trim()), content: content.without('subscriber') }];
}

/** Returns the line by which the form names a recipient. */
export function lineFor(subscriberId: string): string {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N}._@+|:-]*$/u.test(subscriberId);
  return isPlain ? subscriberId : JSON.stringify({ subscriber: subscriberId });
}

function idsIn(text: string): string[] {
  const words = text.split(/[\s,;[\]]+/).map(bare);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).map(checkedId);
}

function checkedId(id: string): string {
  if (!id.includes(MASK) && id.length <= LONGEST_ID) return id;
  throw new InputError('subscribers', `an ID has at most ${LONGEST_ID} characters and isn't masked (${MASK}).`);
}

export interface UnknownRecipients {
  /** A trigger would create these subscribers. */
  unknown: readonly string[];
  /** The service didn't say, which mustn't keep anybody from sending. */
  unchecked: readonly string[];
}

/** Who of the recipients is new to the service, as far as it says: asks for a message of each. */
export async function unknownRecipients(
  service: Pick<NotificationService, 'listMessages'>,
  ids: Iterable<string>,
): Promise<UnknownRecipients> {
  const checks = [...new Set(ids)].map(async (subscriberId) => {
    const page = await orServiceError(service.listMessages({ subscriberId, limit: 1 }, PERSON));
    return { subscriberId, isUnknown: page === null, isUnchecked: page instanceof ServiceError };
  });
  const checked = await Promise.all(checks);
  const idsOf = (kind: 'isUnknown' | 'isUnchecked') =>
    checked.flatMap((check) => (check[kind] ? [check.subscriberId] : []));
  return { unknown: idsOf('isUnknown'), unchecked: idsOf('isUnchecked') };
}
