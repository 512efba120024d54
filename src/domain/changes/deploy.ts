import { InputError } from '../errors.ts';
import { scrub } from '../text/scrub.ts';

/** A deploy's name is a line in rows and lists. */
export const LONGEST_DEPLOY = 200;

/** What is kept of a deploy's name: one line, without secrets and contacts. Throws an `InputError` where there is none, or it's too long. */
export function deployName(typed: string, example: string): string {
  if (typed.trim().length > LONGEST_DEPLOY)
    throw new InputError('what', `A deploy's name has at most ${LONGEST_DEPLOY} characters.`, example);
  const name = scrub(typed);
  if (name === '') throw new InputError('what', 'What was deployed?', example);
  return name;
}
