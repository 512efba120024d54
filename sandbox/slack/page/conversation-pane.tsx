import { type ReactNode, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { Composer } from './composer.tsx';
import { MessageView } from './message-view.tsx';
import { titleOf } from './sidebar.tsx';
import { groupThreads } from './threads.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface ConversationPaneProps {
  readonly conversation: Conversation;
  /** What went wrong with the last gesture, or nothing. */
  readonly note: ReactNode;
}

/** One conversation: what was said, and where to say something. */
export function ConversationPane({ conversation, note }: ConversationPaneProps): ReactNode {
  const [threadTs, setThreadTs] = useState<string | null>(null);
  const { frame, content, scrollToEnd } = useStickToEnd();
  const { id, messages } = conversation;
  const title = titleOf(conversation);
  return (
    <main data-channel={id}>
      <header>
        <h2>{title}</h2>
        <ChannelMenu conversation={conversation} />
      </header>
      <div ref={frame} className="log" role="log" aria-label={`Messages in ${title}`}>
        <div ref={content}>
          {messages.length === 0 && <p className="quiet">Nothing was said here yet.</p>}
          <Threads conversation={conversation} onReply={setThreadTs} />
        </div>
      </div>
      {note}
      {conversation.isArchived ? (
        <p className="archived quiet">This channel is archived: nobody can write in it.</p>
      ) : (
        <Composer
          channel={id}
          title={title}
          threadTs={threadTs}
          onLeaveThread={() => setThreadTs(null)}
          onSend={scrollToEnd}
        />
      )}
    </main>
  );
}

interface ThreadsProps {
  readonly conversation: Conversation;
  readonly onReply: (threadTs: string) => void;
}

function Threads({ conversation: { id, messages }, onReply }: ThreadsProps): ReactNode {
  return groupThreads(messages).map(({ parent, replies }) => (
    <section key={parent.ts} className="thread">
      {[parent, ...replies].map((message) => (
        <MessageView key={message.ts} message={message} channel={id} onReply={() => onReply(parent.ts)} />
      ))}
    </section>
  ));
}
