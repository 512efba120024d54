import { type ReactNode, useEffect, useId, useState } from 'react';
import {
  clockTime,
  DEFAULT_SEED,
  type Direction,
  type DirectorState,
  type ScenarioState,
  SPEEDS,
  stateSchema,
} from '../../director/protocol.ts';

/** Follows the director's state until the returned function is called. The browser reconnects by itself. */
function followDirector(onState: (state: DirectorState) => void): () => void {
  const source = new EventSource('/director/stream');
  source.addEventListener('state', ({ data }) => onState(stateSchema.parse(JSON.parse(data))));
  return () => source.close();
}

/** Sends an order to the director. Resolves to what went wrong, as a sentence, or null. Never rejects. */
async function direct(scenario: string, direction: Direction): Promise<string | null> {
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

interface ScenarioCardProps {
  readonly scenario: ScenarioState;
  readonly onDirect: (direction: Direction) => void;
}

function ScenarioCard({ scenario, onDirect }: ScenarioCardProps): ReactNode {
  const { title, description, lookFor, lastsMs, play } = scenario;
  const [seed, setSeed] = useState(DEFAULT_SEED);
  const [speed, setSpeed] = useState(1);
  const titleId = useId();
  const start = () => onDirect({ do: 'start', seed, speed });
  const changeSpeed = (next: number) => {
    setSpeed(next);
    if (play !== null) onDirect({ do: 'set-speed', speed: next });
  };
  return (
    <section className="scenario" aria-labelledby={titleId} data-playing={play !== null || undefined}>
      <header>
        <h3 id={titleId}>{title}</h3>
        {play === null ? (
          <button type="button" onClick={start}>
            Start
          </button>
        ) : (
          <button type="button" className="danger" onClick={() => onDirect({ do: 'stop' })}>
            Stop
          </button>
        )}
      </header>
      <p>{description}</p>
      {play !== null && <Progress play={play} lastsMs={lastsMs} />}
      <p className="quiet">
        <strong>Look for</strong> {lookFor}
      </p>
      <footer>
        <SpeedChoice speed={play?.speed ?? speed} onChange={changeSpeed} />
        {play === null && (
          <label>
            Seed
            <input
              type="number"
              min={0}
              value={seed}
              onChange={({ target }) => setSeed(Math.max(0, Math.trunc(target.valueAsNumber || 0)))}
            />
          </label>
        )}
      </footer>
    </section>
  );
}

type Play = NonNullable<ScenarioState['play']>;

function Progress({ play, lastsMs }: { readonly play: Play; readonly lastsMs: number }): ReactNode {
  const { elapsedMs, happening, seed } = play;
  if (elapsedMs < 0) return <p role="status">Begins in {clockTime(-elapsedMs)}</p>;
  return (
    <div className="play">
      <progress max={lastsMs} value={elapsedMs} aria-label="How far it is" />
      <p>
        {clockTime(elapsedMs)} of {clockTime(lastsMs)} <span className="quiet">seed {seed}</span>
      </p>
      <ul role="status">
        {happening.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
    </div>
  );
}

interface SpeedChoiceProps {
  readonly speed: number;
  readonly onChange: (speed: number) => void;
}

function SpeedChoice({ speed, onChange }: SpeedChoiceProps): ReactNode {
  return (
    <fieldset>
      <legend>Speed</legend>
      {SPEEDS.map((each) => (
        <button key={each} type="button" aria-pressed={each === speed} onClick={() => onChange(each)}>
          {each}×
        </button>
      ))}
    </fieldset>
  );
}

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
