import type { PageActAnswer } from '../page-protocol.ts';

/** The meanings of Slack's error codes, where its own sentence doesn't explain them. */
const meanings: Readonly<Record<string, string>> = {
  operation_timeout: 'the app did not acknowledge within 3 seconds',
  dispatch_failed: 'the app has no connection to the workspace',
};

/** Codes whose sentence needs no explanation. */
const plainly: readonly string[] = ['not_supported_in_threads'];

/** Returns the message about an answer for the person. Null if there is no error, or if the form itself shows it. */
export function troubleOf(answer: PageActAnswer): string | null {
  if (answer.ok || answer.error === 'form_errors') return null;
  const { error, message } = answer;
  const notes = [message.includes(error) || plainly.includes(error) ? undefined : error, meanings[error]].filter(
    (note) => note !== undefined,
  );
  return notes.length === 0 ? message : `${message} (${notes.join(': ')})`;
}
