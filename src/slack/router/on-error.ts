import { explainServiceProblem } from '../../health/explain.ts';
import { STORE_TROUBLES, StoreTroubleError } from '../../health/store-trouble.ts';
import {
  InputError,
  MembershipUnknownError,
  NotAuthorizedError,
  NotOperatorError,
  OperatorsUnknownError,
  ServiceError,
} from '../../lib/errors.ts';
import type { Operators } from '../../lib/people.ts';
import type { SlackCtx } from '../ctx.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { code, firstOf, joined, type Markup, mrkdwn, person, token } from '../kit/text.ts';
import { type ErrorText, errorCard } from '../kit/words/error-card.ts';
import { isTooLate } from './replies/modal.ts';
import { OldButtonError } from './route.ts';

export type ErrorCtx = Pick<SlackCtx, 'environments' | 'operators' | 'logger' | 'newReference'>;

/** Logs the error, unless the person caused it. */
export function cardFor(ctx: ErrorCtx, error: unknown): MessageContent {
  const { text, reference } = explained(ctx, error);
  return errorCard(text, reference);
}

/** Unless the person caused the error, it's logged under a reference, which has to be shown. */
export function explained(
  ctx: ErrorCtx,
  error: unknown,
): { readonly text: ErrorText; readonly reference: string | null } {
  const known = ownDoing(ctx, error);
  if (known !== null) return { text: known, reference: null };
  const reference = ctx.newReference();
  if (error instanceof ServiceError) return { text: serviceTrouble(ctx, error, reference), reference };
  ctx.logger.error({ reference, err: error }, 'an interaction could not be answered');
  if (error instanceof MembershipUnknownError) return { text: MEMBERSHIP_UNKNOWN, reference };
  if (error instanceof OperatorsUnknownError) return { text: OPERATORS_UNKNOWN, reference };
  if (error instanceof StoreTroubleError) return { text: STORE_TROUBLES[error.trouble], reference };
  return { text: isTooLate(error) ? EXPIRED : UNEXPECTED, reference };
}

/** Logs an error that reached Bolt: the interaction couldn't even be parsed. */
export async function logStray({ logger, newReference }: ErrorCtx, error: unknown): Promise<void> {
  logger.error({ reference: newReference(), err: error }, 'what Slack sent could not be handled');
}

function ownDoing({ operators }: ErrorCtx, error: unknown): ErrorText | null {
  if (error instanceof InputError) return { what: error.message, next: nextAfter(error) };
  if (error instanceof NotOperatorError) return operatorsOnlyExplanation(operators);
  if (error instanceof NotAuthorizedError) return notAuthorizedExplanation(error, operators);
  return error instanceof OldButtonError ? OLD_BUTTON : null;
}

function nextAfter({ next, example }: InputError): ErrorText['next'] {
  if (next !== null) return next;
  return example === null ? 'Change it and try again.' : mrkdwn`For example: ${code(example, 200)}`;
}

function serviceTrouble({ environments, logger }: ErrorCtx, error: ServiceError, reference: string): ErrorText {
  const { environment: name, operation, problem } = error;
  logger.warn(
    { reference, environment: name, operation, problem: problem.kind, err: error },
    'the service could not be asked',
  );
  const environment = environments.find((environment) => environment.name === name);
  return environment === undefined ? UNEXPECTED : explainServiceProblem(error, environment);
}

const OLD_BUTTON: ErrorText = {
  what: 'This is from an older version of Notif and no longer works.',
  next: 'Ask again: /notif help shows how.',
};

const EXPIRED: ErrorText = {
  what: "Slack's 3-second limit for opening a form ran out.",
  next: 'Try again.',
};

const ASK_SLACK_AGAIN =
  'Try again in a minute. If it happens again, give the reference to the people who run Notif: /notif doctor and its log have more.';

const MEMBERSHIP_UNKNOWN: ErrorText = {
  what: "Slack didn't say who you are, and Notif answers only members of this workspace.",
  next: ASK_SLACK_AGAIN,
};

const OPERATORS_UNKNOWN: ErrorText = {
  what: "Slack didn't say who is in the operators' user group, and only operators can do this.",
  next: ASK_SLACK_AGAIN,
};

const UNEXPECTED: ErrorText = {
  what: 'Something went wrong in Notif itself.',
  next: 'Try again. If it happens again, give the reference to the people who run Notif: its log has more.',
};

const MOST_NAMED = 5;

/** Being named in an answer to one person notifies nobody. */
function operatorsOnlyExplanation(operators: Operators): ErrorText {
  if (operators.who !== 'listed') {
    return {
      what: "This is off: NOTIF_OPERATORS isn't set.",
      next: 'Ask the people who run Notif to set it to the Slack IDs of people or user groups.',
    };
  }
  return {
    what: 'Only operators can do this.',
    next: mrkdwn`Ask ${namesOf(operators.users, operators.groups)}, or have NOTIF_OPERATORS changed.`,
  };
}

const WHO = { guest: 'Guests', stranger: 'People from other organizations' };

function notAuthorizedExplanation(
  { membership, mayLook }: Pick<NotAuthorizedError, 'membership' | 'mayLook'>,
  operators: Operators,
): ErrorText {
  const who = WHO[membership];
  const names = operators.who === 'listed' ? mrkdwn` such as ${namesOf(operators.users, operators.groups)}` : mrkdwn``;
  if (mayLook) {
    return {
      what: `${who} can look things up here, but this is for members of the workspace.`,
      next: mrkdwn`Ask a member${names} to do it.`,
    };
  }
  return {
    what: `${who} can't use Notif in this workspace.`,
    next: mrkdwn`Ask a member${names} to look it up and share it, or the people who run Notif to let you in (${code('NOTIF_GUESTS=allow')}).`,
  };
}

function namesOf(users: readonly string[], groups: readonly string[]): Markup {
  return joined(firstOf([...groups.map(groupName), ...users.map(person)], MOST_NAMED), ', ');
}

function groupName(groupId: string): Markup {
  return /^S[A-Z0-9]+$/.test(groupId) ? token(`<!subteam^${groupId}>`) : mrkdwn`${groupId}`;
}
