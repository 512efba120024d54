import { type ReactNode, useEffect, useState } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { z } from 'zod';
import type { ChannelChange, Conversation, FieldContents, OpenView, PostedMessage, Tab } from '../page-protocol.ts';
import { Blocks } from './blocks/blocks.tsx';
import { Composer } from './composer.tsx';
import { useEscape, useStickToEnd } from './hooks.ts';
import { isInChannel, type LogEntry, layLog } from './log.ts';
import { Menu } from './menu.tsx';
import { MessageView } from './message-view.tsx';
import { titleOf } from './sidebar.tsx';
import { SurfaceProvider } from './surface.tsx';
import { useWorkspace } from './workspace.ts';

function ChannelMenu({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { send } = useWorkspace();
  if (conversation.kind === 'direct') return null;
  const items = changesOf(conversation).map(([change, name]) => ({
    id: change,
    name,
    choose: () => void send({ do: 'change-channel', channel: conversation.id, change }),
  }));
  return <Menu label="Channel" face="⋮" items={items} />;
}

function changesOf({ isArchived, hasBot }: Conversation): readonly (readonly [ChannelChange, string])[] {
  if (isArchived) return [['unarchive', 'Take out of the archive']];
  return [hasBot ? ['remove-bot', 'Remove the app'] : ['invite-bot', 'Invite the app'], ['archive', 'Archive']];
}

const shown = z.object({ blocks: z.array(z.record(z.string(), z.unknown())) });

function HomeTab({ home }: { readonly home: OpenView | null }): ReactNode {
  const [typed, setTyped] = useState<FieldContents>({});
  if (home === null) return <p className="home quiet">The app has not put anything here yet.</p>;
  const { blocks } = shown.parse(home.view);
  return (
    <div className="home" data-view-id={home.id}>
      <SurfaceProvider surface={{ in: 'view', viewId: home.id }} starts={home.starts} typed={typed} onType={setTyped}>
        <Blocks blocks={blocks} />
      </SurfaceProvider>
    </div>
  );
}

export function reasonForSilence({ isArchived, takesMessages }: Conversation): string | null {
  if (isArchived) return 'This channel is archived: nobody can write in it.';
  return takesMessages
    ? null
    : 'Sending messages to this app has been turned off: its manifest makes this tab read-only.';
}

interface MessageLogProps {
  readonly conversation: Conversation;
  readonly title: string;
  /** The ts up to which it had been read when it was opened; null if everything counts as read. */
  readonly checkedTo: string | null;
  /** Changes when the person has posted, which scrolls to the end. */
  readonly said: number;
}

/** Shows a conversation's messages. Escape marks all as read and scrolls to the end. */
function MessageLog({ conversation, title, checkedTo, said }: MessageLogProps): ReactNode {
  const { snapshot, thread } = useWorkspace();
  const { frame, content, isAtEnd, scrollToEnd } = useStickToEnd();
  const [isAllRead, setAllRead] = useState(false);
  const { id, messages } = conversation;
  const { timeZone } = snapshot.me;
  const entries = layLog(messages, {
    checkedTo: isAllRead ? null : checkedTo,
    me: snapshot.me.id,
    dayOf: (at) => dayOf(at, timeZone),
  });
  const below = useMissed(messages, isAtEnd);
  useEffect(() => {
    if (said > 0) scrollToEnd();
  }, [said, scrollToEnd]);
  useEscape(
    thread === null
      ? () => {
          setAllRead(true);
          scrollToEnd();
        }
      : null,
  );
  return (
    <div className="log-frame">
      <div ref={frame} className="log" role="log" aria-label={`Messages in ${title}`}>
        <div ref={content}>
          {entries.length === 0 && <p className="quiet">Nothing was said here yet.</p>}
          {entries.map((entry) => drawEntry(entry, id, timeZone))}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="jump" onClick={scrollToEnd}>
          ↓ {below === 0 ? 'Jump to latest' : `${below} new ${below === 1 ? 'message' : 'messages'}`}
        </button>
      )}
    </div>
  );
}

function drawEntry(entry: LogEntry, channel: string, timeZone: string): ReactNode {
  switch (entry.kind) {
    case 'day':
      return (
        <h3 key={`day ${entry.at}`} className="rule">
          <span>{wordsForDay(entry.at, Date.now(), timeZone)}</span>
        </h3>
      );
    case 'new':
      return (
        <h3 key="new" className="rule new">
          <span>New</span>
        </h3>
      );
    case 'message':
      return <MessageView key={entry.message.ts} channel={channel} {...entry} />;
  }
}

/** Returns the number of messages since the end was last visible. */
function useMissed(messages: readonly PostedMessage[], isAtEnd: boolean): number {
  const end = messages.at(-1)?.ts ?? '0';
  const [seenTo, setSeenTo] = useState(end);
  useEffect(() => {
    if (isAtEnd) setSeenTo(end);
  }, [isAtEnd, end]);
  return messages.filter((message) => Number(message.ts) > Number(seenTo) && isInChannel(message, messages)).length;
}

function dayOf(at: number, timeZone: string): string {
  return new Date(at).toLocaleDateString('en-CA', { timeZone });
}

const DAY_MS = 86_400_000;

function wordsForDay(at: number, now: number, timeZone: string): string {
  if (dayOf(at, timeZone) === dayOf(now, timeZone)) return 'Today';
  if (dayOf(at, timeZone) === dayOf(now - DAY_MS, timeZone)) return 'Yesterday';
  return new Intl.DateTimeFormat(undefined, { timeZone, weekday: 'long', day: 'numeric', month: 'long' }).format(at);
}

interface MessagesTabProps {
  readonly conversation: Conversation;
  readonly title: string;
  /** The ts up to which it had been read when it was opened; null if everything counts as read. */
  readonly checkedTo: string | null;
  readonly note: ReactNode;
}

function MessagesTab({ conversation, title, checkedTo, note }: MessagesTabProps): ReactNode {
  const [said, setSaid] = useState(0);
  const silence = reasonForSilence(conversation);
  return (
    <>
      <MessageLog {...{ conversation, title, checkedTo, said }} />
      {note}
      {silence !== null ? (
        <p className="silent quiet">{silence}</p>
      ) : (
        <Composer
          channel={conversation.id}
          name={`Message ${title}`}
          hint={`Message ${title}, or /notif help`}
          threadTs={null}
          onSend={() => setSaid((times) => times + 1)}
        />
      )}
    </>
  );
}

interface ConversationPaneProps {
  readonly conversation: Conversation;
  /** The tab. Only the conversation with an app that has a Home tab has two. */
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** The ts up to which the person has read it; null if unknown. */
  readonly checkedTo: string | null;
  readonly note: ReactNode;
}

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
