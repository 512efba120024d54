import type { Delivery, EnvelopeType, Repetition } from '../delivery.ts';
import type { Json } from '../page-protocol.ts';
import type { Refusal } from '../refusal.ts';
import type { Reply } from '../replies.ts';

interface Noted {
  readonly id: number;
  /** Milliseconds of the workspace's clock. */
  readonly at: number;
}

/** A call of the bot, including `response_url` and `upload`. */
export interface CallNote extends Noted {
  readonly kind: 'call';
  readonly method: string;
  readonly args: Json;
  readonly reply: Reply;
}

/** Something that the bot received. */
export interface EnvelopeNote extends Noted {
  readonly kind: 'envelope';
  readonly type: EnvelopeType;
  readonly payload: Json;
  readonly repetition: Repetition | undefined;
  /** Null until the acknowledgment comes. */
  readonly delivery: Delivery | null;
  /** What was wrong with the answer in the acknowledgment, if anything. */
  readonly refusal: Refusal | null;
}

export interface ConnectionNote extends Noted {
  readonly kind: 'connection';
  /** 'opened', 'closed', … */
  readonly what: string;
  readonly about: string;
}

/** A stored note of the traffic with everything in it. `line` and `entry` return it without secrets. */
export type Note = CallNote | EnvelopeNote | ConnectionNote;
