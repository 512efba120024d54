import { type ReactNode, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { Composer } from './composer.tsx';
import { MessageLog } from './message-log.tsx';
import { reasonForSilence } from './silence.ts';

interface MessagesTabProps {
  readonly conversation: Conversation;
  readonly title: string;
  /** The ts up to which it had been read when it was opened; null if everything counts as read. */
  readonly checkedTo: string | null;
  /** The error of the last interaction, if any. */
  readonly note: ReactNode;
}

/** Shows a conversation's messages and the composer. */
export function MessagesTab({ conversation, title, checkedTo, note }: MessagesTabProps): ReactNode {
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
