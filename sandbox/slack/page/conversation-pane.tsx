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
  /** The tab. Only the conversation with an app that has a Home tab has two. */
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** The ts up to which the person has read it; null if unknown. */
  readonly checkedTo: string | null;
  /** The error of the last interaction, if any. */
  readonly note: ReactNode;
}

/** Shows a conversation. The one with the bot also has a Home tab. */
export function ConversationPane({ conversation, tab, onTab, checkedTo, note }: ConversationPaneProps): ReactNode {
  const { home, hasHome } = useWorkspace().snapshot;
  const title = titleOf(conversation);
  // An open conversation counts as read, but what was new when it was opened stays marked until the person leaves.
  const [readBefore] = useState(checkedTo);
  const messages = <MessagesTab {...{ conversation, title, note }} checkedTo={readBefore} />;
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
