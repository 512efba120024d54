import { type ReactNode, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { Composer } from './composer.tsx';
import { MessageLog } from './message-log.tsx';
import { reasonForSilence } from './silence.ts';

interface MessagesTabProps {
  readonly conversation: Conversation;
  readonly title: string;
  /** The ts up to which it had been read when it was opened; null where all of it counts as read. */
  readonly readTo: string | null;
  /** What went wrong with the last interaction, or nothing. */
  readonly note: ReactNode;
}

/** What was said in a conversation, and where to say something. */
export function MessagesTab({ conversation, title, readTo, note }: MessagesTabProps): ReactNode {
  const [said, setSaid] = useState(0);
  const silence = reasonForSilence(conversation);
  return (
    <>
      <MessageLog {...{ conversation, title, readTo, said }} />
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
