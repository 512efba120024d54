import type { ReactNode } from 'react';
import type { Snapshot } from '../../page-protocol.ts';
import { inOrder } from '../in-order.tsx';
import { useWorkspace } from '../workspace.ts';
import { emojiFor } from './emoji.ts';
import type { Inline } from './inline.ts';
import { safeLink } from './safe-link.ts';
import { formatSlackDate, readerIn } from './slack-date.ts';

/** Draws the pieces of a line. Each leaf is a text node: nothing in a message is ever HTML. */
export function InlineText({ inlines }: { readonly inlines: readonly Inline[] }): ReactNode {
  return inOrder(inlines, (inline) => <Piece inline={inline} />);
}

function Piece({ inline }: { readonly inline: Inline }): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'bold':
      return (
        <strong>
          <InlineText inlines={inline.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <InlineText inlines={inline.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <InlineText inlines={inline.children} />
        </s>
      );
    case 'code':
      return (
        <code>
          <InlineText inlines={inline.children} />
        </code>
      );
    case 'link':
      return <Link url={inline.url}>{inline.label}</Link>;
    case 'emoji':
      return emojiFor(inline.name);
    case 'date':
      return <DateText {...inline} />;
    case 'broadcast':
      return <span className="mention loud">@{inline.range}</span>;
    default:
      return <Mention {...inline} />;
  }
}

/** Shows a link that opens in a new tab, or only its text if messages can't link to its URL. */
export function Link({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  const href = safeLink(url);
  if (href === null) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

interface DateTextProps {
  readonly timestamp: number;
  readonly format: string;
  readonly url: string | null;
  readonly fallback: string;
}

export function DateText({ timestamp, format, url, fallback }: DateTextProps): ReactNode {
  const { timeZone } = useWorkspace().snapshot.me;
  const words = formatSlackDate(timestamp, format, readerIn(timeZone, Date.now()));
  if (words === null) return fallback;
  const time = (
    <time dateTime={new Date(timestamp * 1000).toISOString()} title={fallback}>
      {words}
    </time>
  );
  return url === null ? time : <Link url={url}>{time}</Link>;
}

interface MentionProps {
  readonly kind: 'user' | 'channel' | 'usergroup';
  readonly id: string;
  readonly label: string;
}

export function Mention({ kind, id, label }: MentionProps): ReactNode {
  const { snapshot } = useWorkspace();
  const name = namesIn(snapshot, kind).find((each) => each.id === id)?.name ?? (label.replace(/^[@#]/, '') || id);
  return (
    <span className="mention">
      {kind === 'channel' ? '#' : '@'}
      {name}
    </span>
  );
}

function namesIn(
  { people, userGroups, conversations }: Snapshot,
  kind: MentionProps['kind'],
): readonly { readonly id: string; readonly name: string }[] {
  switch (kind) {
    case 'user':
      return people;
    case 'usergroup':
      return userGroups.map(({ id, handle }) => ({ id, name: handle }));
    case 'channel':
      return conversations;
  }
}
