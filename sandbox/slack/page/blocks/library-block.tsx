import type { ReactNode } from 'react';
import { type Block, Message, type MessageProps } from 'slack-blocks-to-jsx';
import 'slack-blocks-to-jsx/dist/style.css';
import { z } from 'zod';
import type { Json } from '../../page-protocol.ts';
import { Link, Mention } from '../text/inline-text.tsx';
import { libraryTypes } from './block-schema.ts';
import { Undrawable } from './undrawable.tsx';

const display = z.object({ type: z.enum(libraryTypes) });

const displayed = z.custom<Block>((json) => display.safeParse(json).success);

/** The page draws names and links itself: it knows the people, and where a message may link to. */
const hooks: NonNullable<MessageProps['hooks']> = {
  user: ({ id, name }) => <Mention kind="user" id={id} label={name} />,
  channel: ({ id, name }) => <Mention kind="channel" id={id} label={name} />,
  usergroup: ({ id, name }) => <Mention kind="usergroup" id={id} label={name} />,
  link: ({ href, children }) => <Link url={href}>{children}</Link>,
};

/** Shows a block drawn by slack-blocks-to-jsx, inside an error boundary: the library reports no clicks and throws on malformed blocks. */
export function LibraryBlock({ json }: { readonly json: Json }): ReactNode {
  const read = displayed.safeParse(json);
  return read.success ? (
    <Message blocks={[read.data]} name="" logo="" hooks={hooks} withoutWrapper />
  ) : (
    <Undrawable json={json} why="unknown type" />
  );
}
