import type { ReactNode } from 'react';
import type { RichTextElement, RichTextLeaf } from '../blocks/rich-text-schema.ts';
import { inOrder } from '../in-order.tsx';
import { emojiFor } from './emoji.ts';
import { DateText, Link, Mention } from './inline-text.tsx';

/** Draws a rich_text block's elements. Leaves are literal: nothing in them is markup. */
export function RichText({ elements }: { readonly elements: readonly RichTextElement[] }): ReactNode {
  return inOrder(elements, (element) => <Part element={element} />);
}

function Part({ element }: { readonly element: RichTextElement }): ReactNode {
  switch (element.type) {
    case 'rich_text_section':
      return (
        <p className="mrkdwn">
          <Leaves leaves={element.elements} />
        </p>
      );
    case 'rich_text_quote':
      return (
        <blockquote className="mrkdwn">
          <Leaves leaves={element.elements} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre className="mrkdwn">
          <Leaves leaves={element.elements} />
        </pre>
      );
    case 'rich_text_list':
      return <List {...element} />;
  }
}

function List({ style, indent, offset, elements }: Extract<RichTextElement, { type: 'rich_text_list' }>): ReactNode {
  const place = { marginInlineStart: `${indent}em` };
  const items = inOrder(elements, (item) => (
    <li>
      <Leaves leaves={item.elements} />
    </li>
  ));
  return style === 'ordered' ? (
    <ol style={place} start={offset + 1}>
      {items}
    </ol>
  ) : (
    <ul style={place}>{items}</ul>
  );
}

function Leaves({ leaves }: { readonly leaves: readonly RichTextLeaf[] }): ReactNode {
  return inOrder(leaves, (leaf) => <Leaf leaf={leaf} />);
}

function Leaf({ leaf }: { readonly leaf: RichTextLeaf }): ReactNode {
  const { bold, italic, strike, code } = leaf.style ?? {};
  let drawn = drawLeaf(leaf);
  if (code) drawn = <code>{drawn}</code>;
  if (strike) drawn = <s>{drawn}</s>;
  if (italic) drawn = <em>{drawn}</em>;
  return bold ? <strong>{drawn}</strong> : drawn;
}

function drawLeaf(leaf: RichTextLeaf): ReactNode {
  switch (leaf.type) {
    case 'text':
      return leaf.text;
    case 'link':
      return <Link url={leaf.url}>{leaf.text || leaf.url}</Link>;
    case 'emoji':
      return emojiFor(leaf.name);
    case 'user':
      return <Mention kind="user" id={leaf.user_id} label="" />;
    case 'channel':
      return <Mention kind="channel" id={leaf.channel_id} label="" />;
    case 'usergroup':
      return <Mention kind="usergroup" id={leaf.usergroup_id} label="" />;
    case 'broadcast':
      return <span className="mention loud">@{leaf.range}</span>;
    case 'color':
      return <code>{leaf.value}</code>;
    case 'date':
      return <DateText {...leaf} url={leaf.url ?? null} fallback={leaf.fallback ?? ''} />;
  }
}
