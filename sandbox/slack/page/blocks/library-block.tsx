import type { ReactNode } from 'react';
import { type Block, Message } from 'slack-blocks-to-jsx';
import 'slack-blocks-to-jsx/dist/style.css';
import { z } from 'zod';
import type { Json } from '../../page-protocol.ts';
import { libraryTypes } from './block-schema.ts';
import { Undrawable } from './undrawable.tsx';

const display = z.object({ type: z.enum(libraryTypes) });

const displayed = z.custom<Block>((json) => display.safeParse(json).success);

/** A block drawn by slack-blocks-to-jsx: it reports no clicks and throws on malformed blocks, so it stands inside an error boundary. */
export function LibraryBlock({ json }: { readonly json: Json }): ReactNode {
  const read = displayed.safeParse(json);
  return read.success ? (
    <Message blocks={[read.data]} name="" logo="" withoutWrapper />
  ) : (
    <Undrawable json={json} why="unknown type" />
  );
}
