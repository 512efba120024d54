import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import type { Snapshot } from '../page-protocol.ts';
import { useEscape } from './hooks.ts';
import { ScenariosTab } from './scenarios-tab.tsx';
import { advance, countDone, type Happening, type Progress, TOUR, wordsSeen } from './tour.ts';
import { useWorkspace } from './workspace.ts';

/** What the person has done of the tour. */
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
