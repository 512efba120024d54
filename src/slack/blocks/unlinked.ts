/**
 * Returns a message's text for a place without blocks, where Slack would make a link of an address from outside: its `://` becomes a
 * lookalike. Slack's tokens, such as Notif's own links, and code, in which Slack links nothing, stay.
 */
export function unlinked(text: string): string {
  return text
    .split(/(<[^<>\n]*>|`[^`\n]*`)/)
    .map((piece) => (/^[<`]/.test(piece) ? piece : piece.replaceAll('://', '∶//')))
    .join('');
}
