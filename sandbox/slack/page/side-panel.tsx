import { type ReactNode, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { z } from 'zod';
import { DirectorTab } from './director-tab.tsx';
import { useEscape, useMedia, useStored } from './hooks.ts';
import { countDone, STORY } from './try/story.ts';
import { type Tried, TryTab } from './try/try-tab.tsx';

/** The width from which the panel fits beside the conversation. In narrower windows it covers it, and opens only on request. */
const HAS_ROOM = '(min-width: 1100px)';

interface SidePanelProps {
  readonly tried: Tried;
  /** Whether something else is shown in its place. */
  readonly isHidden: boolean;
  readonly onPropose: (text: string, conversation: string) => void;
}

export function SidePanel({ tried, isHidden, onPropose }: SidePanelProps): ReactNode {
  const hasRoom = useMedia(HAS_ROOM);
  const beside = useStored('side panel', z.boolean(), true);
  const over = useState(false);
  const [isOpen, setOpen] = hasRoom ? beside : over;
  useEscape(isOpen && !hasRoom && !isHidden ? () => setOpen(false) : null);
  const progress = `${countDone(tried.progress)}/${STORY.length}`;
  if (!isOpen)
    return (
      <button type="button" className="open-panel" hidden={isHidden} onClick={() => setOpen(true)}>
        Try it <span className="quiet">{progress}</span>
      </button>
    );
  const closeWhereItCovers = () => {
    if (!hasRoom) setOpen(false);
  };
  return (
    <aside className="side-panel" aria-label="Sandbox" hidden={isHidden}>
      <Tabs className="panel-tabs">
        <header>
          <TabList aria-label="Sandbox">
            <Tab id="try">Try {progress}</Tab>
            <Tab id="director">Director</Tab>
          </TabList>
          <button type="button" className="icon" aria-label="Close the panel" onClick={() => setOpen(false)}>
            ✕
          </button>
        </header>
        <TabPanel id="try">
          <TryTab
            tried={tried}
            onPropose={(text, conversation) => {
              closeWhereItCovers();
              onPropose(text, conversation);
            }}
          />
        </TabPanel>
        <TabPanel id="director">
          <DirectorTab onStart={() => tried.note({ kind: 'scenario' })} />
        </TabPanel>
      </Tabs>
    </aside>
  );
}
