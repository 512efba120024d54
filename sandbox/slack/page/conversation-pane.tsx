import { type ReactNode, useState } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Conversation, Tab } from '../page-protocol.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { HomeTab } from './home-tab.tsx';
import { MessagesTab } from './messages-tab.tsx';
import { titleOf } from './sidebar.tsx';
import { useWorkspace } from './workspace.ts';

interface ConversationPaneProps {
  readonly conversation: Conversation;
  /** Only the conversation with an app that has a Home tab has two. */
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** The ts up to which the person has read it by now; null where that is not known yet. */
  readonly readTo: string | null;
  /** What went wrong with the last interaction, or nothing. */
  readonly note: ReactNode;
}

/** One conversation; the one with the bot has a Home tab beside its messages. */
export function ConversationPane({ conversation, tab, onTab, readTo, note }: ConversationPaneProps): ReactNode {
  const { home, hasHome } = useWorkspace().snapshot;
  const title = titleOf(conversation);
  // Once it is open it counts as read: what was new when it was opened stays marked until the person leaves.
  const [readBefore] = useState(readTo);
  const messages = <MessagesTab {...{ conversation, title, note }} readTo={readBefore} />;
  return (
    <main data-channel={conversation.id}>
      <header>
        <h2>{title}</h2>
        <ChannelMenu conversation={conversation} />
      </header>
      {conversation.kind === 'direct' && hasHome ? (
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
