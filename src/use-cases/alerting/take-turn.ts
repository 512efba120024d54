import type { DeliveryParts, Turn } from './deliver-messages.ts';

/** A turn ends after this many messages, or after this long. */
const MOST_IN_A_TURN = 20;
const LONGEST_TURN_MS = 15_000;

/** Handles claimed messages one after another until none is left or the turn is over. `handle` returns whether all went as expected. */
export async function takeTurn<Message>(
  claim: () => Promise<Message | null>,
  handle: (message: Message) => Promise<boolean>,
  { now, signal }: Pick<DeliveryParts, 'now' | 'signal'>,
): Promise<Turn> {
  const endsAt = now().getTime() + LONGEST_TURN_MS;
  let unexpected = 0;
  for (let taken = 0; taken < MOST_IN_A_TURN && now().getTime() < endsAt && !signal.aborted; taken += 1) {
    const message = await claim();
    if (message === null) return { isDone: true, unexpected };
    if (!(await handle(message))) unexpected += 1;
  }
  return { isDone: false, unexpected };
}
