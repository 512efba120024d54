/** Returns the URL if it is http, https or mailto, else null: no `javascript:` from a message. */
export function safeLink(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null;
}
