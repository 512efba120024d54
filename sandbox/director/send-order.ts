import { z } from 'zod';
import { clockTime, type Direction, type ScenarioState, stateSchema } from './protocol.ts';

/** Formats the scenarios for a terminal: a line each with name, duration and description. A playing one also has its progress. */
export function describeScenarios(
  scenarios: readonly (Omit<ScenarioState, 'play' | 'lookFor' | 'title'> & Partial<ScenarioState>)[],
): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  const lines = scenarios.map(({ name, lastsMs, description, play }) => {
    const line = `${name.padEnd(width)}  ${clockTime(lastsMs).padStart(5)}  ${description}`;
    return play ? `${line}\n${' '.repeat(width + 9)}▶ ${progressOf(play)}` : line;
  });
  return lines.join('\n');
}

function progressOf({ elapsedMs, speed, seed, happening }: NonNullable<ScenarioState['play']>): string {
  if (elapsedMs < 0) return `begins in ${clockTime(-elapsedMs)}`;
  return [`${clockTime(elapsedMs)} at ${speed}×, seed ${seed}`, ...happening].join(' · ');
}

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
