import { type ReactNode, useRef, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
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
  const title = titleOf(conversation);
  return (
    <main data-channel={conversation.id}>
      <header>
        <h2>{title}</h2>
      </header>
      <Log conversation={conversation} title={title} onReply={setThreadTs} />
      {note}
      <Composer channel={conversation.id} title={title} threadTs={threadTs} onLeaveThread={() => setThreadTs(null)} />
    </main>
  );
}

interface LogProps {
  readonly conversation: Conversation;
  readonly title: string;
  readonly onReply: (threadTs: string) => void;
}

function Log({ conversation, title, onReply }: LogProps): ReactNode {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useStickToEnd(log, content);
  const { id, messages } = conversation;
  return (
    <div ref={log} className="log" role="log" aria-label={`Messages in ${title}`}>
      <div ref={content}>
        {messages.length === 0 && <p className="quiet">Nothing was said here yet.</p>}
        {groupThreads(messages).map(({ parent, replies }) => (
          <section key={parent.ts} className="thread">
            {[parent, ...replies].map((message) => (
              <MessageView key={message.ts} message={message} channel={id} onReply={() => onReply(parent.ts)} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}
