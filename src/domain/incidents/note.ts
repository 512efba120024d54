import { scrub } from '../text/scrub.ts';

/** A line that somebody wrote about an incident, for the person who has it next time. */
export interface Note {
  /** A Slack user id. */
  readonly by: string;
  readonly at: Date;
  /** On one line, without secrets and contacts: everybody who sees the incident sees it. */
  readonly text: string;
}

/** As long as a line of a row takes; what is longer is refused, not cut. */
export const LONGEST_NOTE = 200;

/** A note is of use to people for as long as an outage takes to come back: keys are rotated every few months. */
export const NOTES_KEPT_DAYS = 365;

/** What is kept of what somebody typed as a note, or why nothing is. */
export function noteOf(
  typed: string,
): { readonly is: 'text'; readonly text: string } | { readonly is: 'empty' | 'too long' } {
  if (typed.trim().length > LONGEST_NOTE) return { is: 'too long' };
  const text = scrub(typed);
  return text === '' ? { is: 'empty' } : { is: 'text', text };
}
