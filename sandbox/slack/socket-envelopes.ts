import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Delivery, EnvelopeType, Repetition } from './delivery.ts';
import { isJson, parseJson, stringIn } from './json.ts';
import type { Json } from './page-protocol.ts';

/** A connection of the bot, to which frames are written. */
interface Line {
  send(frame: string): void;
}

interface Pending {
  readonly settle: (delivery: Delivery) => void;
  readonly timer: NodeJS.Timeout;
  readonly sentAt: number;
}

/** Sent envelopes that wait for their acknowledgments. */
export class Envelopes {
  readonly #ackTimeoutMs: number;
  readonly #pending = new Map<string, Pending>();
  #last: Json | undefined;

  constructor(ackTimeoutMs: number) {
    this.#ackTimeoutMs = ackTimeoutMs;
  }

  /** Sends a payload in its own envelope. Resolves with the acknowledgment, or with `operation_timeout`. */
  send(socket: Line, type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    const marks = type === 'events_api' ? retryMarks(repetition) : {};
    const envelope = { envelope_id: randomUUID(), type, payload, accepts_response_payload: true, ...marks };
    this.#last = envelope;
    return new Promise((settle) => {
      this.#await(envelope.envelope_id, settle);
      socket.send(JSON.stringify(envelope));
    });
  }

  /** Sends the last envelope again with Slack's redelivery marks, without waiting for its acknowledgment. */
  resendLast(socket: Line): void {
    if (this.#last === undefined) return;
    socket.send(JSON.stringify({ ...this.#last, ...retryMarks({ attempt: 1, reason: 'timeout' }) }));
  }

  /** Parses a frame from the bot: `{envelope_id, payload?}`. A late or repeated acknowledgment changes nothing. */
  acknowledge(frame: string): void {
    const { envelopeId, response } = parseAcknowledgment(frame);
    const pending = this.#pending.get(envelopeId);
    if (pending !== undefined) this.#settle(envelopeId, { ok: true, ackMs: elapsed(pending.sentAt), response });
  }

  /** Rejects everything that is waiting, because nobody can answer. */
  close(): void {
    for (const [id, pending] of this.#pending) {
      this.#settle(id, { ok: false, ackMs: elapsed(pending.sentAt), error: 'dispatch_failed', retry: 'timeout' });
    }
  }

  #await(id: string, settle: Pending['settle']): void {
    const ackMs = this.#ackTimeoutMs;
    const sentAt = performance.now();
    const giveUp = () => this.#settle(id, { ok: false, ackMs, error: 'operation_timeout', retry: 'timeout' });
    this.#pending.set(id, { settle, timer: setTimeout(giveUp, ackMs), sentAt });
  }

  #settle(id: string, delivery: Delivery): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.settle(delivery);
  }
}

/** Returns the marks that Slack puts on every envelope with an event; the first delivery is attempt 0. */
function retryMarks(repetition: Repetition | undefined): Json {
  return { retry_attempt: repetition?.attempt ?? 0, retry_reason: repetition?.reason ?? '' };
}

function elapsed(sentAt: number): number {
  return performance.now() - sentAt;
}

function parseAcknowledgment(frame: string): { envelopeId: string; response: Json } {
  const parsed = parseJson(frame);
  if (parsed === undefined) console.warn('a Socket Mode frame was not JSON', { length: frame.length });
  const payload = isJson(parsed) ? parsed.payload : undefined;
  return { envelopeId: stringIn(parsed, 'envelope_id') ?? '', response: isJson(payload) ? payload : {} };
}
