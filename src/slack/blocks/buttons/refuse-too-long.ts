import { InputError } from '../../../domain/errors.ts';
import { BUTTON_VALUE } from '../limits.ts';

/** Throws an `InputError` if no button can carry `value`, the request as written for its last possible page. */
export function refuseTooLong(value: string, example: string): void {
  if (value.length <= BUTTON_VALUE) return;
  throw new InputError('filter', "Too many filter values for Slack's buttons. Use fewer.", example);
}
