import type { Json } from '../page-protocol.ts';
import { BOT } from '../seed.ts';
import type { File } from '../state/files.ts';

/** Returns a file as Slack shows it to apps, without the URLs of its content. */
export function fileObject({ id, name, title, size, mimetype, altText }: File): Json {
  const filetype = name.includes('.') ? name.split('.').at(-1) : 'text';
  const alt = altText === null ? {} : { alt_txt: altText };
  return { id, name, title, size, mimetype, ...alt, filetype, user: BOT.userId, mode: 'hosted', is_external: false };
}
