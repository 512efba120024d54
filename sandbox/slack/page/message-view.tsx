import { type ReactNode, useState } from 'react';
import type { FieldContents, PostedMessage } from '../page-protocol.ts';
import { Avatar } from './avatar.tsx';
import { Blocks } from './blocks/blocks.tsx';
import { Files } from './files.tsx';
import { Menu } from './menu.tsx';
import { SurfaceProvider } from './surface.tsx';
import { DateText } from './text/inline-text.tsx';
import { Mrkdwn } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

interface MessageViewProps {
  readonly message: PostedMessage;
  readonly channel: string;
  /** Whether it follows another message of its author, so that author, time and image aren't repeated. */
  readonly continues: boolean;
  /** The replies to it. */
  readonly replies: readonly PostedMessage[];
}

/** Shows a message: author, time, whether it was edited and who sees it; then its blocks, or its text if it has none, and its files. */
export function MessageView({ message, channel, continues, replies }: MessageViewProps): ReactNode {
  const [typed, setTyped] = useState<FieldContents>({});
  const { ts, text, blocks, files, mentionsMe } = message;
  const author = useAuthor(message.author);
  return (
    <article
      data-ts={ts}
      data-channel={channel}
      data-only-visible-to={message.onlyVisibleTo}
      data-mentions-me={mentionsMe || undefined}
      aria-label={`Message from ${author.name}`}
    >
      <div className="gutter">
        {continues ? <At ts={ts} format="{time}" /> : <Avatar id={message.author} {...author} />}
      </div>
      <div className="said">
        {message.onlyVisibleTo !== null && !continues && <p className="quiet">👁 Only visible to you</p>}
        {mentionsMe && <p className="quiet">🔔 Mentions you</p>}
        {!continues && (
          <header>
            <strong>{author.name}</strong>
            {author.isBot && <abbr title="This is the bot">APP</abbr>}
            {author.standing !== 'member' && <abbr>{author.standing}</abbr>}
            <At ts={ts} format="{time_secs}" />
          </header>
        )}
        <SurfaceProvider surface={{ in: 'message', channel, ts }} typed={typed} onType={setTyped}>
          {blocks.length > 0 ? <Blocks blocks={blocks} /> : <Mrkdwn source={text} />}
        </SurfaceProvider>
        <Files files={files} />
        {message.edited && <p className="quiet">(edited)</p>}
        {replies.length > 0 && <Replies {...{ message, replies }} />}
      </div>
      <MessageMenu {...{ message, channel }} />
    </article>
  );
}

function At({ ts, format }: { readonly ts: string; readonly format: string }): ReactNode {
  const at = Number(ts);
  return (
    <span className="at quiet">
      <DateText timestamp={Math.floor(at)} format={format} url={null} fallback={new Date(at * 1_000).toString()} />
    </span>
  );
}

/** Shows the number of replies and the time of the last one, below a message with a thread. */
function Replies({ message, replies }: Pick<MessageViewProps, 'message' | 'replies'>): ReactNode {
  const { openThread } = useWorkspace();
  const last = replies.at(-1);
  return (
    <button type="button" className="replies" onClick={() => openThread(message.ts)}>
      {replies.length === 1 ? '1 reply' : `${replies.length} replies`}
      {last !== undefined && (
        <span className="last-reply">
          {' '}
          Last reply at <At ts={last.ts} format="{time_secs}" />
        </span>
      )}
    </button>
  );
}

function useAuthor(id: string) {
  const { people } = useWorkspace().snapshot;
  return people.find((person) => person.id === id) ?? { name: id, isBot: false, standing: 'member' };
}

function MessageMenu({ message, channel }: Pick<MessageViewProps, 'message' | 'channel'>): ReactNode {
  const { snapshot, send, openThread } = useWorkspace();
  const shortcuts = snapshot.shortcuts.filter(({ type }) => type === 'message');
  // Slack offers neither shortcuts nor threads on ephemeral messages.
  if (message.onlyVisibleTo !== null) return null;
  const items = shortcuts.map(({ name, callbackId }) => ({
    id: callbackId,
    name,
    choose: () => void send({ do: 'message-shortcut', callbackId, channel, ts: message.ts }),
  }));
  const reply = { id: 'reply', name: 'Reply in thread', choose: () => openThread(message.threadTs ?? message.ts) };
  return (
    <div className="tools">
      <Menu label="More actions" face="⋮" items={[...items, reply]} />
    </div>
  );
}
