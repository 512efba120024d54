import type { PageActAnswer } from '../page-protocol.ts';

/** What Slack's words mean, where its own sentence leaves that open. */
const meanings: Readonly<Record<string, string>> = {
  operation_timeout: 'the app did not acknowledge within 3 seconds',
  dispatch_failed: 'the app has no connection to the workspace',
};

/** Slack's sentence says it all. */
const plainly: readonly string[] = ['not_supported_in_threads'];

/** What to tell the person about this answer: null when all is well, or when the form itself shows what is wrong with it. */
export function troubleOf(answer: PageActAnswer): string | null {
  if (answer.ok || answer.error === 'form_errors') return null;
  const { error, message } = answer;
  const notes = [message.includes(error) || plainly.includes(error) ? undefined : error, meanings[error]].filter(
    (note) => note !== undefined,
  );
  return notes.length === 0 ? message : `${message} (${notes.join(': ')})`;
}
