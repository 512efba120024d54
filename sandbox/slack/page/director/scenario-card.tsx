import { type ReactNode, useId, useState } from 'react';
import { clockTime } from '../../../director/describe.ts';
import { DEFAULT_SEED, type Direction, type ScenarioState, SPEEDS } from '../../../director/protocol.ts';

interface ScenarioCardProps {
  readonly scenario: ScenarioState;
  readonly onDirect: (direction: Direction) => void;
}

/** Shows a scenario: description, start and stop, seed and speed; while it plays, its progress and what to look for. */
export function ScenarioCard({ scenario, onDirect }: ScenarioCardProps): ReactNode {
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
