import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { z } from 'zod';
import {
  type DirectorState,
  minutesAndSeconds,
  type Order,
  type ScenarioState,
  SPEEDS,
  stateSchema,
} from '../../director/protocol.ts';
import { parseJson } from '../json.ts';
import type { Snapshot } from '../page-protocol.ts';
import { useEscape } from './hooks.ts';
import { advance, countDone, type Happening, type Progress, TOUR, wordsSeen } from './tour.ts';
import { useWorkspace } from './workspace.ts';

interface Tried {
  progress: Progress;
  recordHappening: (happening: Happening) => void;
  startOver: () => void;
}

const STORAGE_KEY = 'notif-sandbox things tried';
const stored = z.record(z.string(), z.enum(['did', 'done']));

/** Follows what happens on the page. The progress survives a reload, and is shared by all people that the user acts as. */
export function useTried(snapshot: Snapshot): Tried {
  const [progress, setProgress] = useState<Progress>(
    () => stored.safeParse(parseJson(window.localStorage.getItem(STORAGE_KEY) ?? '')).data ?? {},
  );
  const [openedAt, setOpenedAt] = useState(() => Date.now() / 1_000);
  const recordHappening = useCallback(
    (happening: Happening) => setProgress((before) => advance(before, happening)),
    [],
  );
  const startOver = () => {
    setOpenedAt(Date.now() / 1_000);
    setProgress({});
  };
  useEffect(() => window.localStorage.setItem(STORAGE_KEY, JSON.stringify(progress)), [progress]);
  useEffect(() => recordHappening(wordsSeen(snapshot, openedAt)), [recordHappening, snapshot, openedAt]);
  return { progress, recordHappening, startOver };
}

/** In narrower windows the panel covers the conversation, and opens only on request. */
const hasRoom = () => window.matchMedia('(min-width: 1100px)').matches;

interface SidePanelProps {
  tried: Tried;
  isHidden: boolean;
  onPropose: (text: string, conversation: string) => void;
}

export function SidePanel({ tried, isHidden, onPropose }: SidePanelProps): ReactNode {
  const [isOpen, setOpen] = useState(hasRoom);
  const uncover = () => setOpen(hasRoom());
  useEscape(isOpen && !isHidden ? uncover : null);
  const progress = `${countDone(tried.progress)}/${TOUR.length}`;
  if (!isOpen)
    return (
      <button type="button" className="open-panel" hidden={isHidden} onClick={() => setOpen(true)}>
        Try it <span className="quiet">{progress}</span>
      </button>
    );
  const propose: typeof onPropose = (...proposal) => {
    uncover();
    onPropose(...proposal);
  };
  return (
    <aside className="side-panel" aria-label="Sandbox" hidden={isHidden}>
      <Tabs className="panel-tabs">
        <header>
          <TabList aria-label="Sandbox">
            <Tab id="try">Try {progress}</Tab>
            <Tab id="scenarios">Scenarios</Tab>
          </TabList>
          <button type="button" className="icon" aria-label="Close the panel" onClick={() => setOpen(false)}>
            ✕
          </button>
        </header>
        <TabPanel id="try">
          <TryTab tried={tried} onPropose={propose} />
        </TabPanel>
        <TabPanel id="scenarios">
          <ScenariosTab onStart={() => tried.recordHappening({ did: 'starts a scenario' })} />
        </TabPanel>
      </Tabs>
    </aside>
  );
}

function TryTab({ tried: { progress, startOver }, onPropose }: Omit<SidePanelProps, 'isHidden'>): ReactNode {
  const { snapshot } = useWorkspace();
  const done = countDone(progress);
  return (
    <>
      <p className="quiet">{done === TOUR.length ? 'You’ve seen it.' : 'A five-minute tour of Notif.'}</p>
      <ol className="things">
        {TOUR.map((thing) => {
          const proposal = thing.propose?.(snapshot);
          const isTicked = progress[thing.id] === 'done';
          return (
            <li key={thing.id} data-done={isTicked || undefined}>
              <span className="tick" role="img" aria-label={isTicked ? 'Done' : 'To do'}>
                {isTicked && '✓'}
              </span>
              <div>
                <h3>{thing.title}</h3>
                <p>{thing.how}</p>
                {proposal && (
                  <button type="button" className="proposal" onClick={() => onPropose(proposal, 'oncall')}>
                    {proposal}
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {done > 0 && (
        <button type="button" onClick={startOver}>
          Start over
        </button>
      )}
    </>
  );
}

async function sendOrder(order: Order): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch('/director/order', { method: 'POST', headers, body: JSON.stringify(order) });
    return answer.ok ? null : `The sandbox refused (${answer.status}).`;
  } catch {
    return 'The sandbox did not answer. Is it still running?';
  }
}

/** The page asks for the state instead of keeping a stream: a browser opens six connections to a host, and each page already keeps one. */
const STATE_EVERY_MS = 500;

function ScenariosTab({ onStart }: { onStart: () => void }): ReactNode {
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
