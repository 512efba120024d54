import { type ReactNode, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { Composer } from './composer.tsx';
import { MessageView } from './message-view.tsx';
import { groupThreads } from './threads.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface MessagesTabProps {
  readonly conversation: Conversation;
  readonly title: string;
  /** What went wrong with the last gesture, or nothing. */
  readonly note: ReactNode;
}

/** What was said in a conversation, and where to say something. */
export function MessagesTab({ conversation, title, note }: MessagesTabProps): ReactNode {
  const [threadTs, setThreadTs] = useState<string | null>(null);
  const { frame, content, scrollToEnd } = useStickToEnd();
  const silence = reasonForSilence(conversation);
  return (
    <>
      <div ref={frame} className="log" role="log" aria-label={`Messages in ${title}`}>
        <div ref={content}>
          {conversation.messages.length === 0 && <p className="quiet">Nothing was said here yet.</p>}
          <Threads conversation={conversation} onReply={setThreadTs} />
        </div>
      </div>
      {note}
      {silence !== null ? (
        <p className="silent quiet">{silence}</p>
      ) : (
        <Composer
          channel={conversation.id}
          title={title}
          threadTs={threadTs}
          onLeaveThread={() => setThreadTs(null)}
          onSend={scrollToEnd}
        />
      )}
    </>
  );
}

/** Why nobody can write here, or null. */
function reasonForSilence({ isArchived, takesMessages }: Conversation): string | null {
  if (isArchived) return 'This channel is archived: nobody can write in it.';
  return takesMessages
    ? null
    : 'Sending messages to this app has been turned off: its manifest makes this tab read-only.';
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
