import { type ReactNode, useState } from 'react';
import type { PostedMessage, StateValues } from '../page-protocol.ts';
import { Attachment } from './attachment.tsx';
import { Blocks } from './blocks/blocks.tsx';
import { Files } from './files.tsx';
import { inOrder } from './in-order.tsx';
import { Menu } from './menu.tsx';
import { SurfaceProvider } from './surface.tsx';
import { DateText } from './text/inline-text.tsx';
import { Mrkdwn } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

interface MessageViewProps {
  readonly message: PostedMessage;
  readonly channel: string;
  readonly onReply: () => void;
}

/** A message: who, when, whether it was edited and who sees it; then its blocks, or its text where it has none, and its files. */
export function MessageView({ message, channel, onReply }: MessageViewProps): ReactNode {
  const [typed, setTyped] = useState<StateValues>({});
  const { ts, text, blocks, attachments, files, mentionsMe } = message;
  const author = useAuthor(message.author);
  return (
    <article
      data-ts={ts}
      data-channel={channel}
      data-only-visible-to={message.onlyVisibleTo}
      data-mentions-me={mentionsMe || undefined}
      aria-label={`Message from ${author.name}`}
    >
      {message.onlyVisibleTo !== null && <p className="quiet">👁 Only visible to you</p>}
      {message.replyBroadcast && <p className="quiet">↪ Also sent to the channel</p>}
      {mentionsMe && <p className="quiet">🔔 Mentions you</p>}
      <header>
        <strong>{author.name}</strong>
        {author.isBot && <abbr title="This is the bot">APP</abbr>}
        {author.standing !== 'member' && <abbr>{author.standing}</abbr>}
        <span className="quiet">
          <DateText
            timestamp={Math.floor(Number(ts))}
            format="{time_secs}"
            url={null}
            fallback={new Date(Number(ts) * 1000).toString()}
          />
          {message.edited && ' (edited)'}
        </span>
        <MessageMenu {...{ message, channel, onReply }} />
      </header>
      <SurfaceProvider surface={{ in: 'message', channel, ts }} typed={typed} onType={setTyped}>
        {blocks.length > 0 ? <Blocks blocks={blocks} /> : <Mrkdwn source={text} />}
        {inOrder(attachments, (attachment) => (
          <Attachment json={attachment} />
        ))}
      </SurfaceProvider>
      <Files files={files} />
    </article>
  );
}

function useAuthor(id: string) {
  const { people } = useWorkspace().snapshot;
  return people.find((person) => person.id === id) ?? { name: id, isBot: false, standing: 'member' };
}

function MessageMenu({ message, channel, onReply }: MessageViewProps): ReactNode {
  const { snapshot, send } = useWorkspace();
  const shortcuts = snapshot.shortcuts.filter(({ type }) => type === 'message');
  // Slack offers neither shortcuts nor threads on what only one person sees.
  if (message.onlyVisibleTo !== null) return null;
  const items = shortcuts.map(({ name, callbackId }) => ({
    id: callbackId,
    name,
    choose: () => void send({ do: 'message-shortcut', callbackId, channel, ts: message.ts }),
  }));
  return (
    <Menu label="More actions" face="⋮" items={[...items, { id: 'reply', name: 'Reply in thread', choose: onReply }]} />
  );
}
