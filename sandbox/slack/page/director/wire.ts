import type { Direction, DirectorState } from '../../../director/protocol.ts';
import { stateSchema } from '../../../director/state-schema.ts';

/** Follows the director's state until the returned function is called. The browser reconnects by itself. */
export function followDirector(onState: (state: DirectorState) => void): () => void {
  const source = new EventSource('/director/stream');
  source.addEventListener('state', ({ data }) => onState(stateSchema.parse(JSON.parse(data))));
  return () => source.close();
}

/** Sends an order to the director. Resolves to what went wrong, as a sentence, or null. Never rejects. */
export async function direct(scenario: string, direction: Direction): Promise<string | null> {
  try {
    const answer = await fetch(`/director/scenarios/${encodeURIComponent(scenario)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(direction),
    });
    return answer.ok ? null : `The director refused (${answer.status}).`;
  } catch (cause) {
    console.error('The director gave no answer.', cause);
    return 'The director did not answer. Is the sandbox still running?';
  }
}
