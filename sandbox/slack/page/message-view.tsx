import { type ReactNode, useState } from 'react';
import type { FieldContents, PostedFile, PostedMessage } from '../page-protocol.ts';
import { Blocks } from './blocks/blocks.tsx';
import { Menu } from './menu.tsx';
import { SurfaceProvider } from './surface.tsx';
import { DateText, Mrkdwn } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
}

/** Each is dark enough for white letters. */
const COLORS = ['#8c3b6b', '#2f6690', '#3a7d44', '#a4581e', '#6a4c93', '#1b7f79', '#9d3c3c', '#4d6a2b'] as const;

/** Shows somebody's first letter in a color of their own. It adds nothing to the name beside it. */
function Avatar({ id, name, isBot }: AvatarProps): ReactNode {
  return (
    <span
      className={`avatar${isBot ? ' bot' : ''}`}
      style={isBot ? {} : { background: colorOf(id) }}
      aria-hidden="true"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

/** Returns the same color for the same ID everywhere. */
function colorOf(id: string): string {
  const sum = [...id].reduce((total, letter) => total * 31 + (letter.codePointAt(0) ?? 0), 7);
  return COLORS[sum % COLORS.length] ?? COLORS[0];
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

export function formatSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return `${Math.round((bytes / 1000 ** power) * 10) / 10} ${UNITS[power]}`;
}

function Files({ files }: { readonly files: readonly PostedFile[] }): ReactNode {
  return files.map((file) => <FileView key={file.id} file={file} />);
}

function FileView({ file: { id, name, title, size } }: { readonly file: PostedFile }): ReactNode {
  const { me } = useWorkspace().snapshot;
  const address = `/page/file?${new URLSearchParams({ as: me.id, id })}`;
  return (
    <figure className="file" data-file-id={id}>
      <figcaption>
        <span aria-hidden="true">📄</span>
        <a href={address} download={name}>
          {title}
        </a>
        <span className="quiet">
          {title !== name && `${name} · `}
          {formatSize(size)}
        </span>
      </figcaption>
    </figure>
  );
}

interface MessageViewProps {
  readonly message: PostedMessage;
  readonly channel: string;
  /** Whether it follows another message of its author, so that author, time and image aren't repeated. */
  readonly continues: boolean;
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
