import type { ErrorText } from './error-text.ts';
import type { Rule } from './rules.ts';

/** Commands before MAIL FROM: of the email, nothing is known yet. */
const BEFORE_EMAIL = ['conn', 'initial connection', 'talk to me', 'ehlo', 'helo', 'auth'];

/** Where a mail server refuses says whose trouble it can't be. */
export function canBeMeant({ cause: { whose }, rank }: Rule, { command, reply }: ErrorText): boolean {
  const isBeforeEmail = BEFORE_EMAIL.includes(command ?? '');
  if (whose === 'content') return !isBeforeEmail;
  // At DATA, our login was accepted.
  if (whose === 'credentials') return command !== 'data';
  if (whose !== 'recipient') return true;
  // 421 closes the connection, whomever the command named: only words say that it's because of them.
  return !isBeforeEmail && command !== 'mail from' && !(reply === '421' && rank === 'status');
}

/** A 4xx is never final: what a rule says for good is only so for now. */
export function isPutOff({ cause, rank }: Rule, { reply }: ErrorText): boolean {
  const isFinal = cause.whose === 'recipient' && typeof cause.again !== 'number';
  return isFinal && reply?.startsWith('4') === true && rank !== 'own';
}
