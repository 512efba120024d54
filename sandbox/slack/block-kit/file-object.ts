import type { Json } from '../page-protocol.ts';
import { BOT } from '../seed.ts';
import type { File } from '../state/files.ts';

/** Returns a file as Slack shows it to apps, without the URLs of its content. */
export function fileObject({ id, name, title, size, mimetype }: File): Json {
  const filetype = name.includes('.') ? name.split('.').at(-1) : 'text';
  return { id, name, title, size, mimetype, filetype, user: BOT.userId, mode: 'hosted', is_external: false };
}
