import { type ReactNode, useEffect, useState } from 'react';
import type { Direction, DirectorState } from '../../../director/protocol.ts';
import { ScenarioCard } from './scenario-card.tsx';
import { direct, followDirector } from './wire.ts';

/** Shows everything that can be made to go wrong, and what is going wrong now. */
export function DirectorTab({ onStart }: { readonly onStart: () => void }): ReactNode {
  const [state, setState] = useState<DirectorState | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => followDirector(setState), []);
  const send = async (scenario: string, direction: Direction) => {
    const problem = await direct(scenario, direction);
    setTrouble(problem);
    if (problem === null && direction.do === 'start') onStart();
  };
  if (state === null) return <p className="quiet">No director answers here: start it with npm run sandbox.</p>;
  return (
    <>
      <p className="quiet">
        Each plays against the production service and this Slack, the same for the same seed. Speed is the pace of what
        happens; clocks stay as they are.
      </p>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <ul className="scenarios">
        {state.scenarios.map((scenario) => (
          <li key={scenario.name}>
            <ScenarioCard scenario={scenario} onDirect={(direction) => void send(scenario.name, direction)} />
          </li>
        ))}
      </ul>
    </>
  );
}
