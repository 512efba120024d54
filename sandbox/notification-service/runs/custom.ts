import { wording } from '../wording.ts';
import { become, note, type Turn } from './run.ts';

/** A custom step: the service calls the customer's own code for what the following steps need. */
export function runCustom(turn: Turn, at: number, onward: (turn: Turn, at: number) => void): void {
  const { world } = turn.run;
  world.agenda.plan(at + world.random.between(100, 600), (later) => {
    note(turn, later, { detail: wording.bridgeAnswered, raw: JSON.stringify({ outputs: { city: 'Berlin' } }) });
    become(turn, 'completed', later);
    onward(turn, later);
  });
}
