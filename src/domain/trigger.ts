import type { ServiceError } from './errors.ts';
import { InputError } from './errors.ts';
import type { TriggeredEvent } from './event.ts';
import type { Judgement } from './judge.ts';
import { type JsonObject, Payload } from './payload.ts';

/** Contract, operation 6: at most this many events in one request. */
export const MOST_RECIPIENTS = 100;

const LONGEST_ID = 255;
const LONGEST_PAYLOAD = 100_000;

const RECIPIENTS_EXAMPLE = 'user-1\nuser-2';
const PAYLOAD_EXAMPLE = '{"orderId": "A-17"}';

/** Subscriber ids, one a line or separated by commas or blanks; the same one twice counts once. Throws `InputError`. */
export function readRecipients(text: string): string[] {
  const ids = [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))];
  if (ids.length === 0) throw new InputError('subscribers', 'Name at least one subscriber id.', RECIPIENTS_EXAMPLE);
  if (ids.length > MOST_RECIPIENTS) {
    throw new InputError('subscribers', `${ids.length} subscribers, but at most ${MOST_RECIPIENTS} at once.`);
  }
  const tooLong = ids.find((id) => id.length > LONGEST_ID);
  if (tooLong) throw new InputError('subscribers', `A subscriber id has at most ${LONGEST_ID} characters.`);
  return ids;
}

/** A payload as people type it: a JSON object, nothing for an empty one; smart quotes are taken as meant. Throws `InputError`. */
export function readPayload(text: string): Payload {
  const trimmed = text.trim();
  if (trimmed === '') return new Payload({});
  if (trimmed.length > LONGEST_PAYLOAD) {
    throw new InputError('payload', `The payload has at most ${LONGEST_PAYLOAD} characters.`, PAYLOAD_EXAMPLE);
  }
  const value = parseJson(trimmed);
  if (!isJsonObject(value)) throw new InputError('payload', 'The payload has to be a JSON object.', PAYLOAD_EXAMPLE);
  return new Payload(value);
}

/** Transaction ids are given to one recipient only: the service sends nothing for a repeated one. Throws `InputError`. */
export function readTransactionId(text: string, recipients: number): string | null {
  const id = text.trim();
  if (id === '') return null;
  if (recipients > 1) {
    throw new InputError('transaction', 'A transaction id of your own goes with one subscriber only.');
  }
  if (id.length > LONGEST_ID || /\s/.test(id)) {
    throw new InputError('transaction', `At most ${LONGEST_ID} characters, without blanks.`, 'test-2026-11-20-1');
  }
  return id;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const straight = text.replace(/[“”„‟]/g, '"');
    if (straight !== text) return parseJson(straight);
    throw new InputError('payload', `This is not JSON: ${positionOf(error)}`, PAYLOAD_EXAMPLE);
  }
}

/** What the parser says of the place, without the text around it, which may hold anything. */
function positionOf(error: unknown): string {
  const place =
    error instanceof Error ? /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined;
  return place ? `look at ${place}.` : 'a bracket, quote or comma is missing, or one too many.';
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The template that a modal starts from: the workflow's variables as keys. */
export function payloadTemplate(variables: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(variables.map((name) => [name, ''])), null, 2);
}

/** What became of one recipient of a trigger. */
export type RecipientState =
  /** The service did not take it; `status` is its word. */
  | { readonly is: 'refused'; readonly status: string; readonly errors: readonly string[] }
  /** Not in the list of events yet. */
  | { readonly is: 'awaited' }
  | { readonly is: 'seen'; readonly event: TriggeredEvent; readonly judgement: Judgement };

export interface Recipient {
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

/** How a trigger is getting on. */
export interface TriggerProgress {
  readonly recipients: readonly Recipient[];
  /** The answer to the request was lost: only what is seen is known to have been sent. */
  readonly isAnswerLost: boolean;
  readonly phase: 'following' | 'finished' | 'out-of-time';
  /** What keeps the events from being read just now. */
  readonly trouble: ServiceError | null;
}

/** What a progress message says besides the progress itself. */
export interface ToldTrigger {
  readonly environment: string;
  readonly actor: string;
  readonly workflow: string;
  readonly startedAt: Date;
  /** True when Notif was restarted meanwhile and has only read since. */
  readonly isResumed: boolean;
}

/** Whether nothing more is expected of a recipient. */
export function isDone(recipient: Recipient): boolean {
  return recipient.state.is === 'refused' || (recipient.state.is === 'seen' && recipient.state.judgement.isSettled);
}
