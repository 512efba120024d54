import type { Delivery } from '../bot/way-to-bot.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state.ts';

/** What becomes of a person's act. */
export type Outcome = Success | Failure;

interface Success {
  ok: true;
  /** How long the bot took to acknowledge, or 0 if it got nothing. */
  ackMs: number;
  /** What a select suggests. */
  options?: readonly Json[];
}

interface Failure {
  ok: false;
  ackMs: number;
  /** Slack's code. */
  error: string;
  /** The text that the person reads. */
  message: string;
  /** A form's, by block. */
  errors?: Readonly<Record<string, string>>;
}

export const DONE: Outcome = { ok: true, ackMs: 0 };

export function failed(error: string, message: string, ackMs = 0): Outcome {
  return { ok: false, ackMs, error, message };
}

export async function deliver(payload: Json, slack: SlackState): Promise<Outcome> {
  const delivery = await slack.bot.deliver('interactive', payload);
  return delivery.ok ? { ok: true, ackMs: delivery.ackMs } : notDelivered(delivery);
}

export function notDelivered({ error, ackMs }: Extract<Delivery, { ok: false }>): Outcome {
  const reasons = {
    operation_timeout: 'The app did not answer in time. Try again.',
    dispatch_failed: 'The app could not be reached. Try again.',
  };
  return failed(error, reasons[error], ackMs);
}
