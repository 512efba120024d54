/** Splits what was typed for a note into the word that names the incident and the text (`#17 key rotated`). A text may be in quotes. */
export function noteTyped(typed: string): { readonly incident: readonly string[]; readonly text: string } {
  const [incident, ...words] = typed.split(/\s+/u).filter((word) => word !== '');
  return { incident: incident === undefined ? [] : [incident], text: unquoted(words.join(' ')) };
}

function unquoted(text: string): string {
  return /^"([^"]*)"$/u.exec(text)?.[1] ?? text;
}
