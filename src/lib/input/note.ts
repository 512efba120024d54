import { scrub } from '../text/scrub.ts';

export interface Note {
  /** A Slack user id. */
  readonly by: string;
  readonly at: Date;
  /** On one line, without secrets and contacts, since everybody who sees the incident sees it. */
  readonly text: string;
}

/** As much as fits in a line of a row; a longer note is refused, not cut. */
export const LONGEST_NOTE = 200;

/** How long notes are useful: a cause can come back after months, such as when keys are rotated. */
export const NOTES_KEPT_DAYS = 365;

export function noteOf(
  typed: string,
): { readonly is: 'text'; readonly text: string } | { readonly is: 'empty' | 'too long' } {
  if (typed.trim().length > LONGEST_NOTE) return { is: 'too long' };
  const text = scrub(typed);
  return text === '' ? { is: 'empty' } : { is: 'text', text };
}

/** Splits what was typed for a note into the word that names the incident and the text (`#17 key rotated`). A text may be in quotes. */
export function noteTyped(typed: string): { readonly incident: readonly string[]; readonly text: string } {
  const [incident, ...words] = typed.split(/\s+/u).filter((word) => word !== '');
  return { incident: incident === undefined ? [] : [incident], text: unquoted(words.join(' ')) };
}

function unquoted(text: string): string {
  return /^"([^"]*)"$/u.exec(text)?.[1] ?? text;
}
