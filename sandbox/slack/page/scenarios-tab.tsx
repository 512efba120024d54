import { type ReactNode, useEffect, useId, useState } from 'react';
import {
  type DirectorState,
  minutesAndSeconds,
  type Order,
  type ScenarioState,
  SPEEDS,
  stateSchema,
} from '../../director/protocol.ts';

/** The page asks for the state instead of keeping a stream: a browser opens six connections to a host, and each page already keeps one. */
const STATE_EVERY_MS = 500;

export function ScenariosTab({ onStart }: { onStart: () => void }): ReactNode {
  const [state, setState] = useState<DirectorState | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>(1);
  useEffect(() => {
    const look = async () => {
      // A failure isn't shown: the next request follows at once, and a click meanwhile says that nothing answers.
      const answer = await fetch('/director/state').catch(() => undefined);
      if (answer?.ok === true) setState(stateSchema.parse(await answer.json()));
    };
    void look();
    const looking = setInterval(look, STATE_EVERY_MS);
    return () => clearInterval(looking);
  }, []);
  const send = async (order: Order) => {
    const problem = await sendOrder(order);
    setTrouble(problem);
    if (problem === null && order.do === 'start') onStart();
  };
  if (state === null) return <p className="quiet">No scenarios are played here: start it with npm run sandbox.</p>;
  return (
    <>
      <p className="quiet">Each plays against the production service and this Slack.</p>
      <fieldset className="speeds">
        <legend>Speed</legend>
        {SPEEDS.map((each) => (
          <button key={each} type="button" aria-pressed={each === speed} onClick={() => setSpeed(each)}>
            {each}×
          </button>
        ))}
      </fieldset>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <ul className="scenarios">
        {state.scenarios.map((each) => (
          <li key={each.name}>
            <ScenarioCard scenario={each} onOrder={(what) => void send({ do: what, scenario: each.name, speed })} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ScenarioCardProps {
  scenario: ScenarioState;
  onOrder: (what: Order['do']) => void;
}

function ScenarioCard({ scenario, onOrder }: ScenarioCardProps): ReactNode {
  const { title, description, lookFor, lastsMs, play } = scenario;
  const titleId = useId();
  const playing = play !== null;
  return (
    <section className="scenario" aria-labelledby={titleId}>
      <header>
        <h3 id={titleId}>{title}</h3>
        <button
          type="button"
          className={playing ? 'danger' : undefined}
          onClick={() => onOrder(playing ? 'stop' : 'start')}
        >
          {playing ? 'Stop' : 'Start'}
        </button>
      </header>
      <p>{description}</p>
      {play && <Progressing play={play} lastsMs={lastsMs} />}
      <p className="quiet">
        <strong>Look for</strong> {lookFor}
      </p>
    </section>
  );
}

interface ProgressingProps {
  play: NonNullable<ScenarioState['play']>;
  lastsMs: number;
}

function Progressing({ play: { elapsedMs, happening, speed }, lastsMs }: ProgressingProps): ReactNode {
  if (elapsedMs < 0) return <p role="status">Begins in {minutesAndSeconds(-elapsedMs)}</p>;
  return (
    <div className="play">
      <progress max={lastsMs} value={elapsedMs} aria-label="How far it is" />
      <p>
        {minutesAndSeconds(elapsedMs)} of {minutesAndSeconds(lastsMs)} <span className="quiet">{speed}×</span>
      </p>
      <ul role="status">
        {happening.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
    </div>
  );
}

/** Returns what went wrong, in words, or null. */
async function sendOrder(order: Order): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch('/director/order', { method: 'POST', headers, body: JSON.stringify(order) });
    return answer.ok ? null : `The sandbox refused (${answer.status}).`;
  } catch {
    return 'The sandbox did not answer. Is it still running?';
  }
}
