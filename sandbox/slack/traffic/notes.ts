import type { Delivery, EnvelopeType, Repetition } from '../delivery.ts';
import type { Json } from '../page-protocol.ts';
import type { Refusal } from '../refusal.ts';
import type { Reply } from '../replies.ts';

interface Noted {
  readonly id: number;
  /** Milliseconds of the workspace's clock. */
  readonly at: number;
}

/** A call of the bot, `response_url` and `upload` among them. */
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
  /** Null while the acknowledgment is waited for. */
  readonly delivery: Delivery | null;
  /** What was wrong with the answer in the acknowledgment, if anything was. */
  readonly refusal: Refusal | null;
}

export interface ConnectionNote extends Noted {
  readonly kind: 'connection';
  /** 'opened', 'closed', … */
  readonly what: string;
  readonly about: string;
}

/** What is remembered of the traffic, with everything that was in it: `line` and `entry` tell it without secrets. */
export type Note = CallNote | EnvelopeNote | ConnectionNote;
