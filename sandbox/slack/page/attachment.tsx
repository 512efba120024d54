import type { CSSProperties, ReactNode } from 'react';
import { z } from 'zod';
import type { Json } from '../page-protocol.ts';
import { Blocks } from './blocks/blocks.tsx';
import { Undrawable } from './blocks/undrawable.tsx';
import { Mrkdwn } from './text/text.tsx';

const attachment = z.object({
  color: z.string().optional(),
  text: z.string().optional(),
  fallback: z.string().optional(),
  blocks: z.array(z.record(z.string(), z.unknown())).optional(),
});

const namedColors: Readonly<Record<string, string>> = { good: '#2eb886', warning: '#daa038', danger: '#a30200' };

/** Shows an attachment: blocks or text beside a colored bar. */
export function Attachment({ json }: { readonly json: Json }): ReactNode {
  const read = attachment.safeParse(json);
  if (!read.success) return <Undrawable json={{ ...json, type: 'attachment' }} why="malformed" />;
  const { color = '', text, fallback, blocks = [] } = read.data;
  const bar: CSSProperties = { borderInlineStartColor: namedColors[color] ?? color };
  return (
    <div className="attachment" style={bar}>
      {blocks.length > 0 ? <Blocks blocks={blocks} /> : <Mrkdwn source={text ?? fallback ?? ''} />}
    </div>
  );
}
