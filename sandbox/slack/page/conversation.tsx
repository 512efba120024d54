import type { ReactNode } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Conversation, OpenView, Tab } from '../page-protocol.ts';
import { Blocks, blocksOf } from './blocks.tsx';
import { Composer } from './composer.tsx';
import { useEscape, useLog } from './hooks.ts';
import { type LogEntry, layLog } from './log.ts';
import { MessageView } from './message.tsx';
import { titleOf } from './sidebar.tsx';
import { SurfaceProvider, useTyped } from './surface.tsx';
import { useWorkspace } from './workspace.ts';

interface ConversationPaneProps {
  conversation: Conversation;
  tab: Tab;
  onTab: (tab: Tab) => void;
  note: ReactNode;
}

export function ConversationPane({ conversation, tab, onTab, note }: ConversationPaneProps): ReactNode {
  const { home } = useWorkspace().snapshot;
  const title = titleOf(conversation);
  const messages = <MessagesTab {...{ conversation, title, note }} />;
  return (
    <main>
      <header>
        <h2>{title}</h2>
      </header>
      {conversation.kind === 'direct' ? (
        <Tabs
          className="tabs"
          selectedKey={tab}
          onSelectionChange={(key) => onTab(key === 'home' ? 'home' : 'messages')}
        >
          <TabList aria-label="Tabs of the app">
            <AriaTab id="home">Home</AriaTab>
            <AriaTab id="messages">Messages</AriaTab>
          </TabList>
          <TabPanel id="home" className="panel">
            <HomeTab home={home} />
            {note}
          </TabPanel>
          <TabPanel id="messages" className="panel">
            {messages}
          </TabPanel>
        </Tabs>
      ) : (
        messages
      )}
    </main>
  );
}

function HomeTab({ home }: { home: OpenView | null }): ReactNode {
  const [typed, setTyped] = useTyped(home?.view);
  if (home === null) return <p className="home quiet">The app has not put anything here yet.</p>;
  return (
    <div className="home">
      <SurfaceProvider surface={{ in: 'view', viewId: home.id }} starts={home.starts} typed={typed} onType={setTyped}>
        <Blocks blocks={blocksOf(home.view)} />
      </SurfaceProvider>
    </div>
  );
}

type MessagesTabProps = Pick<ConversationPaneProps, 'conversation' | 'note'> & { title: string };

function MessagesTab({ conversation, title, note }: MessagesTabProps): ReactNode {
  const { snapshot, thread } = useWorkspace();
  const { log, isAtEnd, scrollToEnd } = useLog();
  const { id, messages } = conversation;
  const { timeZone } = snapshot.me;
  const entries = layLog(messages, (at) => new Date(at).toLocaleDateString('en-CA', { timeZone }));
  useEscape(thread === null ? scrollToEnd : null);
  return (
    <>
      <div className="log-frame">
        <div {...log} className="log" role="log" aria-label={`Messages in ${title}`}>
          <div>
            {entries.length === 0 && <p className="quiet">Nothing was said here yet.</p>}
            {entries.map((entry) => drawEntry(entry, id, timeZone))}
          </div>
        </div>
        {!isAtEnd && (
          <button type="button" className="jump" onClick={scrollToEnd}>
            ↓ Jump to latest
          </button>
        )}
      </div>
      {note}
      <Composer
        conversation={conversation}
        name={`Message ${title}`}
        hint={`Message ${title}, or /notif help`}
        threadTs={null}
        onSend={scrollToEnd}
      />
    </>
  );
}

function drawEntry(entry: LogEntry, channel: string, timeZone: string): ReactNode {
  if (entry.kind === 'message') return <MessageView key={entry.message.ts} channel={channel} {...entry} />;
  const day = new Date(entry.at);
  return (
    <h3 key={entry.at} className="rule">
      {day.toLocaleDateString(undefined, { timeZone, weekday: 'long', day: 'numeric', month: 'long' })} · {timeZone}
    </h3>
  );
}
