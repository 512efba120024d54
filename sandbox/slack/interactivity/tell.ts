import type { Unacknowledged } from '../delivery.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';

/** Sends the bot an interaction that needs only an acknowledgment. */
export async function tell(payload: Json, slack: SlackState): Promise<Interaction> {
  const delivery = await slack.bot.deliver('interactive', payload);
  return delivery.ok ? { ok: true, ackMs: delivery.ackMs } : notTold(delivery);
}

/** Returns what the person reads if the bot didn't acknowledge an interaction. */
export function notTold({ error, ackMs }: Unacknowledged): Interaction {
  const reasons = {
    operation_timeout: 'The app did not answer in time. Try again.',
    dispatch_failed: 'The app could not be reached. Try again.',
  };
  return failed(error, reasons[error], ackMs);
}
