/** Writes a text with Slack's three escapes, the only ones it has. */
export function withEscapes(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Undoes Slack's three escapes, `&` last, so that `&amp;lt;` becomes `&lt;` and not `<`. */
export function withoutEscapes(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
