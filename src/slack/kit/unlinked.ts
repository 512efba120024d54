/** Before two letters, as in `www.evil.example` and `anna@evil.example`; `1.4%`, `v1.2` and the end of a sentence link nothing. */
const DOT_IN_NAME = /(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu;

/**
 * For a place without blocks, where Slack would make links of addresses from outside: their `://` and the dots in names
 * become lookalikes, which make no text longer. Slack's tokens, and code, in which Slack links nothing, stay.
 */
export function unlinked(text: string): string {
  return text
    .split(/(<[^<>\n]*>|`[^`\n]*`)/)
    .map((piece) => (/^[<`]/.test(piece) ? piece : piece.replaceAll('://', '∶//').replace(DOT_IN_NAME, '․')))
    .join('');
}
