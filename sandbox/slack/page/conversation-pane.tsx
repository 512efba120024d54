import type { ReactNode } from 'react';
import type { Conversation, Tab } from '../page-protocol.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { HomeTab } from './home-tab.tsx';
import { MessagesTab } from './messages-tab.tsx';
import { titleOf } from './sidebar.tsx';
import { Tabs } from './tabs.tsx';
import { useWorkspace } from './workspace.ts';

interface ConversationPaneProps {
  readonly conversation: Conversation;
  /** Only the conversation with an app that has a Home tab has two. */
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** What went wrong with the last gesture, or nothing. */
  readonly note: ReactNode;
}

/** One conversation; the one with the bot has a Home tab beside its messages. */
export function ConversationPane({ conversation, tab, onTab, note }: ConversationPaneProps): ReactNode {
  const { home, hasHome } = useWorkspace().snapshot;
  const title = titleOf(conversation);
  const hasTabs = conversation.kind === 'direct' && hasHome;
  return (
    <main data-channel={conversation.id}>
      <header>
        <h2>{title}</h2>
        <ChannelMenu conversation={conversation} />
      </header>
      {hasTabs && <Tabs open={tab} onOpen={onTab} />}
      {hasTabs && tab === 'home' ? (
        <>
          <HomeTab home={home} />
          {note}
        </>
      ) : (
        <MessagesTab conversation={conversation} title={title} note={note} />
      )}
    </main>
  );
}
