import { z } from 'zod';
import type { Direction, ScenarioState } from './protocol.ts';
import { stateSchema } from './state-schema.ts';

/** An order for a scenario. */
export interface Order {
  readonly scenario: string;
  readonly direction: Direction;
}

/** The scenarios after an order, or why there was none, as a sentence for the user. */
export type OrderAnswer =
  | { readonly ok: true; readonly scenarios: readonly ScenarioState[] }
  | { readonly ok: false; readonly message: string };

const refusal = z.object({ message: z.string() });

/** Sends an order to the director of the sandbox at a port of this machine; null only requests the state. */
export async function sendOrder(port: number, order: Order | null): Promise<OrderAnswer> {
  const noSandbox = {
    ok: false,
    message: `No sandbox answers at port ${port}. Start it with npm run sandbox, or say --port.`,
  } as const;
  try {
    const answer = await send(port, order);
    const body: unknown = await answer.json();
    if (!answer.ok) return { ok: false, message: refusal.parse(body).message };
    return { ok: true, scenarios: stateSchema.parse(body).scenarios };
  } catch (error) {
    // `fetch` throws a TypeError if there is no answer; another server's answer can't be read.
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof z.ZodError) return noSandbox;
    throw error;
  }
}

function send(port: number, order: Order | null): Promise<Response> {
  const origin = `http://127.0.0.1:${port}/director`;
  if (order === null) return fetch(`${origin}/state`);
  return fetch(`${origin}/scenarios/${encodeURIComponent(order.scenario)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order.direction),
  });
}
