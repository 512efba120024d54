import { InputError } from '../errors.ts';
import { scrub } from '../text/scrub.ts';

/** The maximum length: a deploy's name is one line in rows and lists. */
export const LONGEST_DEPLOY = 200;

/** One line, without secrets and contacts. Throws an `InputError` if it is empty or too long. */
export function deployName(typed: string, example: string): string {
  if (typed.trim().length > LONGEST_DEPLOY)
    throw new InputError('what', `A deploy's name has at most ${LONGEST_DEPLOY} characters.`, example);
  const name = scrub(typed);
  if (name === '') throw new InputError('what', 'What was deployed?', example);
  return name;
}
