import type { RichTextBlock, RichTextElement, TextObject } from '@slack/types';
import { get } from 'node-emoji';
import { Fragment, type ReactNode } from 'react';
import { withoutEscapes } from '../../block-kit/fields.ts';
import { useWorkspace } from '../workspace.ts';
import { type Inline, parseMrkdwn } from './mrkdwn.ts';
import { formatSlackDate, readerIn } from './slack-date.ts';

/** Draws items that have no ID. */
export function inOrder<Item>(items: readonly Item[], draw: (item: Item, index: number) => ReactNode): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: their place is all there is
  return items.map((item, index) => <Fragment key={index}>{draw(item, index)}</Fragment>);
}

/** Returns the URL if it is http, https or mailto, else null: no `javascript:` from a message. */
export function safeLink(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null;
}

/** Slack's names that the emoji list doesn't have. */
const slackNames: Readonly<Record<string, string>> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  large_orange_circle: '🟠',
  large_brown_circle: '🟤',
  black_right_pointing_double_triangle_with_vertical_bar: '⏭️',
};

const emojiFor = (name: string): string => slackNames[name] ?? get(name) ?? `:${name}:`;

const TAGS = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const;

function drawInline(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code': {
      const Tag = TAGS[inline.kind];
      return <Tag>{inOrder(inline.children, drawInline)}</Tag>;
    }
    case 'link':
      return <Link url={inline.url}>{inline.label}</Link>;
    case 'emoji':
      return emojiFor(inline.name);
    case 'date':
      return <DateText {...inline} />;
    case 'broadcast':
      return <span className="mention">@{inline.range}</span>;
    default:
      return <Mention {...inline} />;
  }
}

function Link({ url, children }: { url: string; children: ReactNode }): ReactNode {
  const href = safeLink(url);
  if (href === null) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

interface DateTextProps {
  timestamp: number;
  format: string;
  url?: string | null;
  fallback: string;
}

export function DateText({ timestamp, format, url = null, fallback }: DateTextProps): ReactNode {
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
  kind: 'user' | 'channel' | 'usergroup';
  id: string;
  label?: string;
}

function Mention({ kind, id, label = '' }: MentionProps): ReactNode {
  const { people, userGroups, conversations } = useWorkspace().snapshot;
  const groups = userGroups.map((group) => ({ id: group.id, name: group.handle }));
  const known = { user: people, channel: conversations, usergroup: groups }[kind];
  return (
    <span className="mention">
      {kind === 'channel' ? '#' : '@'}
      {known.find((each) => each.id === id)?.name ?? (label.replace(/^[@#]/, '') || id)}
    </span>
  );
}

export function Text({ text }: { text: TextObject }): ReactNode {
  if (text.type === 'plain_text') return <span className="plain">{plainText(text)}</span>;
  return <Mrkdwn source={text.text} />;
}

export function plainText(object: TextObject): string {
  const words = withoutEscapes(object.text);
  if (object.type === 'plain_text' && object.emoji === false) return words;
  return words.replace(/:([a-z0-9_+'-]+):/g, (_, name: string) => emojiFor(name));
}

export function Mrkdwn({ source }: { source: string }): ReactNode {
  return inOrder(parseMrkdwn(source), ({ kind, children }) => {
    const Tag = kind === 'quote' ? 'blockquote' : kind === 'preformatted' ? 'pre' : 'span';
    return <Tag className="mrkdwn">{inOrder(children, drawInline)}</Tag>;
  });
}

export function RichText({ block }: { block: RichTextBlock }): ReactNode {
  return inOrder(block.elements, (part) => {
    if (part.type === 'rich_text_list') throw new Error('Notif sends no lists');
    const Tag = part.type === 'rich_text_preformatted' ? 'pre' : 'p';
    return <Tag className="mrkdwn">{inOrder(part.elements, drawLeaf)}</Tag>;
  });
}

function drawLeaf(leaf: RichTextElement): ReactNode {
  switch (leaf.type) {
    case 'text':
      return leaf.text;
    case 'user':
      return <Mention kind="user" id={leaf.user_id} />;
    case 'usergroup':
      return <Mention kind="usergroup" id={leaf.usergroup_id} />;
    case 'channel':
      return <Mention kind="channel" id={leaf.channel_id} />;
    case 'date':
      return <DateText timestamp={leaf.timestamp} format={leaf.format} fallback={leaf.fallback ?? ''} />;
    default:
      throw new Error(`Notif sends no ${leaf.type}`);
  }
}
