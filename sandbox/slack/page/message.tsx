import type { ReactNode } from 'react';
import type { PostedFile, PostedMessage } from '../page-protocol.ts';
import { Blocks } from './blocks.tsx';
import { Menu } from './dialog.tsx';
import { SurfaceProvider, useTyped } from './surface.tsx';
import { DateText, Mrkdwn } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

interface MessageViewProps {
  message: PostedMessage;
  channel: string;
  isContinuation: boolean;
  replies?: readonly PostedMessage[];
}

export function MessageView({ message, channel, isContinuation, replies = [] }: MessageViewProps): ReactNode {
  const { people } = useWorkspace().snapshot;
  const [typed, setTyped] = useTyped(message);
  const { ts, text, blocks, files, mentionsMe, onlyVisibleTo } = message;
  const stranger = { name: message.author, isBot: false, standing: 'member' };
  const author = people.find(({ id }) => id === message.author) ?? stranger;
  return (
    <article
      data-only-visible-to={onlyVisibleTo}
      data-mentions-me={mentionsMe || undefined}
      aria-label={`Message from ${author.name}`}
    >
      <div className="gutter">
        {isContinuation ? <Timestamp ts={ts} format="{time}" /> : <Avatar name={author.name} />}
      </div>
      <div className="said">
        {onlyVisibleTo !== null && <p className="quiet">👁 Only visible to you</p>}
        {mentionsMe && <p className="quiet">🔔 Mentions you</p>}
        {!isContinuation && (
          <header>
            <strong>{author.name}</strong>
            {author.isBot && <abbr title="This is the bot">APP</abbr>}
            {author.standing !== 'member' && <abbr>{author.standing}</abbr>}
            <Timestamp ts={ts} format="{time_secs}" />
          </header>
        )}
        <SurfaceProvider surface={{ in: 'message', channel, ts }} typed={typed} onType={setTyped}>
          {blocks.length > 0 ? <Blocks blocks={blocks} /> : <Mrkdwn source={text} />}
        </SurfaceProvider>
        {files.map((file) => (
          <FileView key={file.id} file={file} />
        ))}
        {message.edited && <p className="quiet">(edited)</p>}
        <Replies message={message} replies={replies} />
      </div>
      {/* Slack offers neither shortcuts nor threads on ephemeral messages. */}
      {onlyVisibleTo === null && <MessageMenu message={message} channel={channel} />}
    </article>
  );
}

function Avatar({ name }: { name: string }): ReactNode {
  return (
    <span className="avatar" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

function Timestamp({ ts, format }: { ts: string; format: string }): ReactNode {
  const fallback = new Date(Number(ts) * 1_000).toString();
  return (
    <span className="at quiet">
      <DateText timestamp={Math.floor(Number(ts))} {...{ format, fallback }} />
    </span>
  );
}

function FileView({ file: { id, name, title, size } }: { file: PostedFile }): ReactNode {
  const { me } = useWorkspace().snapshot;
  return (
    <figure className="file">
      <span aria-hidden="true">📄</span>
      <a href={`/page/file?${new URLSearchParams({ as: me.id, id })}`} download={name}>
        {title}
      </a>
      <span className="quiet">
        {title !== name && `${name} · `}
        {Math.ceil(size / 1_000)} kB
      </span>
    </figure>
  );
}

function Replies({ message, replies }: Required<Pick<MessageViewProps, 'message' | 'replies'>>): ReactNode {
  const { openThread } = useWorkspace();
  if (replies.length === 0) return null;
  return (
    <button type="button" className="replies" onClick={() => openThread(message.ts)}>
      {countOfReplies(replies)}
    </button>
  );
}

export function countOfReplies({ length }: readonly PostedMessage[]): string {
  return length === 1 ? '1 reply' : `${length} replies`;
}

function MessageMenu({ message, channel }: Pick<MessageViewProps, 'message' | 'channel'>): ReactNode {
  const { snapshot, send, openThread } = useWorkspace();
  const { ts, threadTs } = message;
  const shortcuts = snapshot.shortcuts.filter(({ type }) => type === 'message');
  const items = shortcuts.map(({ name, callbackId }) => {
    return { id: callbackId, name, choose: () => send({ do: 'message-shortcut', callbackId, channel, ts }) };
  });
  const reply = { id: 'reply', name: 'Reply in thread', choose: () => openThread(threadTs ?? ts) };
  return (
    <div className="tools">
      <Menu label="More actions" face="⋮" items={[...items, reply]} />
    </div>
  );
}
