import type { ReactNode } from 'react';
import { withoutEscapes } from '../../block-kit/escapes.ts';
import type { TextObject } from '../blocks/schema.ts';
import { inOrder } from '../in-order.tsx';
import { emojiFor } from './emoji.ts';
import { InlineText } from './inline-text.tsx';
import { parseMrkdwn } from './mrkdwn.ts';

/** Draws a text object as Slack shows it. */
export function Text({ text }: { readonly text: TextObject }): ReactNode {
  if (text.type === 'plain_text') return <span className="plain">{plainText(text)}</span>;
  return <Mrkdwn source={text.text} autoLink={text.verbatim !== true} />;
}

/**
 * Returns the text of a plain_text object for places without markup, such as a button's name or an option. Emoji names are converted too,
 * unless `emoji` is false.
 */
export function plainText({ text, emoji }: TextObject): string {
  const words = withoutEscapes(text);
  return emoji === false ? words : words.replace(/:([a-z0-9_+'-]+):/g, (_, name: string) => emojiFor(name));
}

export function Mrkdwn({
  source,
  autoLink = true,
}: {
  readonly source: string;
  readonly autoLink?: boolean;
}): ReactNode {
  return inOrder(parseMrkdwn(source, autoLink), ({ kind, children }) => {
    const Tag = kind === 'quote' ? 'blockquote' : kind === 'preformatted' ? 'pre' : 'span';
    return (
      <Tag className="mrkdwn">
        <InlineText inlines={children} />
      </Tag>
    );
  });
}
