import { explainServiceProblem } from '../../health/explain.ts';
import { STORE_TROUBLES, StoreTroubleError } from '../../health/store-trouble.ts';
import {
  InputError,
  NotAuthorizedError,
  NotOperatorError,
  PersonUnknownError,
  ServiceError,
} from '../../lib/errors.ts';
import type { Operators } from '../../lib/people.ts';
import type { SlackCtx } from '../ctx.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { code, firstOf, joined, type Markup, mrkdwn, person, token } from '../kit/text.ts';
import { type ErrorText, errorCard } from '../kit/words/error-card.ts';
import { isTooLate } from './reply.ts';
import { OldButtonError } from './route.ts';

export type ErrorCtx = Pick<SlackCtx, 'environments' | 'operators' | 'logger' | 'newReference'>;

export function cardFor(ctx: ErrorCtx, error: unknown): MessageContent {
  const { text, reference } = explained(ctx, error);
  return errorCard(text, reference);
}

/** Unless the person caused the error, it's logged under a reference, which has to be shown. */
export function explained(
  ctx: ErrorCtx,
  error: unknown,
): { readonly text: ErrorText; readonly reference: string | null } {
  const personal = personalText(ctx, error);
  if (personal !== null) return { text: personal, reference: null };
  const reference = ctx.newReference();
  if (error instanceof ServiceError) {
    const { environment: name, operation, problem } = error;
    const fields = { reference, environment: name, operation, problem: problem.kind, err: error };
    ctx.logger.warn(fields, 'the service could not be asked');
    const environment = ctx.environments.find((environment) => environment.name === name);
    return { text: environment ? explainServiceProblem(error, environment) : UNEXPECTED, reference };
  }
  ctx.logger.error({ reference, err: error }, 'an interaction could not be answered');
  return { text: ownTrouble(error), reference };
}

function personalText({ operators }: ErrorCtx, error: unknown): ErrorText | null {
  if (error instanceof InputError) {
    const example =
      error.example === null ? 'Change it and try again.' : mrkdwn`For example: ${code(error.example, 200)}`;
    return { what: error.message, next: error.next ?? example };
  }
  if (error instanceof NotOperatorError) return operatorsOnly(operators);
  if (error instanceof NotAuthorizedError) return notAuthorized(error, operators);
  return error instanceof OldButtonError ? OLD_BUTTON : null;
}

function ownTrouble(error: unknown): ErrorText {
  if (error instanceof PersonUnknownError) return PERSON_UNKNOWN;
  if (error instanceof StoreTroubleError) return STORE_TROUBLES[error.trouble];
  return isTooLate(error) ? EXPIRED : UNEXPECTED;
}

const OLD_BUTTON: ErrorText = {
  what: 'This is from an older version of Notif and no longer works.',
  next: 'Ask again: /notif help shows how.',
};

const EXPIRED: ErrorText = { what: "Slack's 3-second limit for opening a form ran out.", next: 'Try again.' };

const PERSON_UNKNOWN: ErrorText = {
  what: "Slack didn't say whether you can do this: it didn't describe you or the operators' user group.",
  next: 'Try again in a minute. If it happens again, give the reference to the people who run Notif: /notif doctor and its log have more.',
};

const UNEXPECTED: ErrorText = {
  what: 'Something went wrong in Notif itself.',
  next: 'Try again. If it happens again, give the reference to the people who run Notif: its log has more.',
};

function operatorsOnly(operators: Operators): ErrorText {
  if (operators.who === 'listed') {
    const next = mrkdwn`Ask ${namesOf(operators)}, or have NOTIF_OPERATORS changed.`;
    return { what: 'Only operators can do this.', next };
  }
  const next = 'Ask the people who run Notif to set it to the Slack IDs of people or user groups.';
  return { what: "This is off: NOTIF_OPERATORS isn't set.", next };
}

const WHO = { guest: 'Guests', stranger: 'People from other organizations' };

function notAuthorized({ membership, mayLook }: NotAuthorizedError, operators: Operators): ErrorText {
  const who = WHO[membership];
  const member = operators.who === 'listed' ? mrkdwn`a member such as ${namesOf(operators)}` : 'a member';
  if (mayLook) {
    const what = `${who} can look things up here, but this is for members of the workspace.`;
    return { what, next: mrkdwn`Ask ${member} to do it.` };
  }
  const next = mrkdwn`Ask ${member} to look it up and share it, or the people who run Notif to let you in (${code('NOTIF_GUESTS=allow')}).`;
  return { what: `${who} can't use Notif in this workspace.`, next };
}

const MOST_NAMED = 5;

/** Being named in an answer to one person notifies nobody. */
function namesOf({ users, groups }: Extract<Operators, { who: 'listed' }>): Markup {
  const names = [...groups.map((id) => token(`<!subteam^${id}>`)), ...users.map(person)];
  return joined(firstOf(names, MOST_NAMED), ', ');
}
