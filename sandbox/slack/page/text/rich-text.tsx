import type { ReactNode } from 'react';
import type { RichTextElement, RichTextLeaf } from '../blocks/schema.ts';
import { inOrder } from '../in-order.tsx';
import { DateText, Link, Mention } from './inline-text.tsx';

/** Draws a rich_text block's elements. Leaves are literal: nothing in them is markup. */
export function RichText({ elements }: { readonly elements: readonly RichTextElement[] }): ReactNode {
  return inOrder(elements, ({ type, elements: leaves }) => {
    const Tag = type === 'rich_text_preformatted' ? 'pre' : 'p';
    return <Tag className="mrkdwn">{inOrder(leaves, drawLeaf)}</Tag>;
  });
}

function drawLeaf(leaf: RichTextLeaf): ReactNode {
  switch (leaf.type) {
    case 'text':
      return styled(leaf);
    case 'link':
      return <Link url={leaf.url}>{leaf.text || leaf.url}</Link>;
    case 'user':
      return <Mention kind="user" id={leaf.user_id} label="" />;
    case 'channel':
      return <Mention kind="channel" id={leaf.channel_id} label="" />;
    case 'date':
      return <DateText {...leaf} url={null} />;
  }
}

function styled({ text, style: { bold, italic, code } = {} }: Extract<RichTextLeaf, { type: 'text' }>): ReactNode {
  let drawn: ReactNode = code ? <code>{text}</code> : text;
  if (italic) drawn = <em>{drawn}</em>;
  return bold ? <strong>{drawn}</strong> : drawn;
}
