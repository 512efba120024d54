/** The address as a link may carry it, or null for anything but http, https and mailto: no `javascript:` from a message. */
export function safeLink(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null;
}
