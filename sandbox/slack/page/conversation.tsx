import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Conversation, OpenView, PageAct, Tab } from '../page-protocol.ts';
import { Blocks, blocksOf } from './blocks.tsx';
import { Menu } from './dialog.tsx';
import { useEscape, useLog } from './hooks.ts';
import { areGrouped, type LogEntry, layLog, repliesIn } from './log.ts';
import { countOfReplies, MessageView } from './message.tsx';
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

/** The thread that is open beside the conversation. Closing it returns the focus to what had it before, or to the composer. */
export function useThread() {
  const [thread, setThread] = useState<string | null>(null);
  const opener = useRef<Element | null>(null);
  const openThread = useCallback((ts: string) => {
    opener.current = document.activeElement;
    setThread(ts);
  }, []);
  const closeThread = useCallback(() => {
    setThread((open) => {
      if (open !== null) requestAnimationFrame(() => focusAgain(opener.current));
      return null;
    });
  }, []);
  return { thread, openThread, closeThread };
}

function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.querySelector<HTMLElement>('main .composer textarea');
  target?.focus();
}

interface ThreadPaneProps extends Pick<ConversationPaneProps, 'conversation' | 'note'> {
  threadTs: string;
  onClose: () => void;
}

export function ThreadPane({ conversation, threadTs, onClose, note }: ThreadPaneProps): ReactNode {
  const { id, messages } = conversation;
  const parent = messages.find(({ ts }) => ts === threadTs);
  const replies = repliesIn(threadTs, messages);
  const { log, scrollToEnd } = useLog();
  const title = titleOf(conversation);
  useEscape(onClose);
  return (
    <aside className="thread-pane" aria-label="Thread">
      <header>
        <h2>
          Thread <span className="quiet">{title}</span>
        </h2>
        <button type="button" className="icon" aria-label="Close the thread" onClick={onClose}>
          ✕
        </button>
      </header>
      <div {...log} className="log" role="log" aria-label={`Thread in ${title}`}>
        <div>
          {parent === undefined ? (
            <p className="quiet">This message is gone.</p>
          ) : (
            <MessageView message={parent} channel={id} isContinuation={false} />
          )}
          {replies.length > 0 && <h3 className="rule">{countOfReplies(replies)}</h3>}
          {replies.map((reply, index) => (
            <MessageView
              key={reply.ts}
              message={reply}
              channel={id}
              isContinuation={areGrouped(replies[index - 1], reply)}
            />
          ))}
        </div>
      </div>
      {note}
      <Composer
        key={threadTs}
        conversation={conversation}
        name={`Reply in ${title}`}
        hint="Reply …"
        threadTs={threadTs}
        onSend={scrollToEnd}
      />
    </aside>
  );
}

/** Returns the act of sending this text, or null if it is blank. The workspace refuses commands in a thread, as Slack does. */
function actFor(text: string, channel: string, threadTs: string | null): PageAct | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const thread = threadTs === null ? {} : { threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed, ...thread };
}

interface ComposerProps {
  conversation: Conversation;
  name: string;
  hint: string;
  threadTs: string | null;
  onSend: () => void;
}

/** The field for text and commands: Enter sends, Shift+Enter starts a line. */
function Composer({ conversation, name, hint, threadTs, onSend }: ComposerProps): ReactNode {
  const { send, proposal, propose } = useWorkspace();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const { id, isArchived } = conversation;

  useEffect(() => {
    if (threadTs !== null) field.current?.focus();
  }, [threadTs]);

  useEffect(() => {
    if (proposal === null || threadTs !== null) return;
    setText(proposal);
    propose(null);
    field.current?.focus();
  }, [proposal, propose, threadTs]);

  if (isArchived) return <p className="silent quiet">This channel is archived: nobody can write in it.</p>;

  const submit = async () => {
    const act = actFor(text, id, threadTs);
    if (act === null) return;
    setText('');
    onSend();
    const { ok } = await send(act);
    if (!ok) setText((now) => (now === '' ? text : now));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="row">
        {threadTs === null && <GlobalShortcuts />}
        <textarea
          ref={field}
          rows={1}
          aria-label={name}
          placeholder={hint}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="button primary" aria-label={threadTs === null ? 'Send message' : 'Send reply'}>
          Send
        </button>
      </div>
    </form>
  );
}

function GlobalShortcuts(): ReactNode {
  const { snapshot, send } = useWorkspace();
  const shortcuts = snapshot.shortcuts.filter(({ type }) => type === 'global');
  const items = shortcuts.map(({ name, callbackId }) => {
    return { id: callbackId, name, choose: () => send({ do: 'global-shortcut', callbackId }) };
  });
  return <Menu label="Shortcuts" face="⚡" items={items} />;
}
