import { z } from 'zod';
import { type DirectArguments, readDirectArguments } from './direct-arguments.ts';
import { describeScenarios } from './director/describe.ts';
import { stateSchema } from './director/state-schema.ts';
import { ArgumentsError, HelpAsked } from './read-arguments.ts';

const refusal = z.object({ message: z.string() });

try {
  await direct(readDirectArguments(process.argv.slice(2)));
} catch (error) {
  if (error instanceof HelpAsked) console.log(error.message);
  else if (error instanceof ArgumentsError) fail(error.message);
  else throw error;
}

/** Sends an order to the director of a running sandbox and prints the resulting state. */
async function direct(wanted: DirectArguments): Promise<void> {
  const answer = await ask(wanted).catch(unlessUnreachable);
  if (answer === null)
    return fail(`Nothing answers at port ${wanted.port}. Start it with npm run sandbox, or say --port.`);
  const body: unknown = await answer.json();
  if (!answer.ok) return fail(refusal.parse(body).message);
  console.log(describeScenarios(stateSchema.parse(body).scenarios));
}

function ask({ port, order }: DirectArguments): Promise<Response> {
  const origin = `http://127.0.0.1:${port}/director`;
  if (order === null) return fetch(`${origin}/state`);
  return fetch(`${origin}/scenarios/${encodeURIComponent(order.scenario)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order.direction),
  });
}

/** Returns null for a TypeError, which `fetch` throws if the sandbox is unreachable. Rethrows everything else. */
function unlessUnreachable(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
