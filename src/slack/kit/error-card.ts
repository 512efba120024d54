import { randomUUID } from 'node:crypto';
import { WebAPIPlatformError } from '@slack/web-api';
import {
  type Explanation,
  InputError,
  NotOperatorError,
  PersonUnknownError,
  STORE_TROUBLES,
  StoreTroubleError,
} from '../../lib/errors.ts';
import { isUnreached, unreachedWords } from '../../lib/refusals.ts';
import { failedRequest } from '../../service/problem-words.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { SlackCtx } from '../ctx.ts';
import { isTokenRefused } from '../slack-errors.ts';
import { asMessage, type MessageContent, withNote } from './message.ts';
import { code, type Inserted, listed, mention, mrkdwn, person } from './text.ts';

export type ErrorCtx = Pick<SlackCtx, 'environments' | 'operators' | 'logger' | 'newReference'>;

interface CardText {
  what: Inserted;
  next: Inserted;
}

const UNEXPECTED: CardText = {
  what: 'Something went wrong in Notif itself.',
  next: "Try again. If it happens again, give the reference to Notif's admins: its log has more.",
};

export const newReference = (): string => randomUUID().slice(0, 5).toUpperCase();

/** Logs the error under the card's reference, unless the person caused it. */
export function cardFor(ctx: ErrorCtx, error: unknown): MessageContent {
  const personal = personalText(ctx, error);
  if (personal !== null) return errorCard(personal);
  const reference = ctx.newReference();
  return withNote(errorCard(loggedText(ctx, error, reference)), mrkdwn`Reference ${reference}`);
}

export function errorCard({ what, next }: CardText): MessageContent {
  return asMessage([mrkdwn`⚠️ ${what}`, next]);
}

/** Null unless the error is about what the person typed, or isn't allowed to do. */
function personalText({ operators }: ErrorCtx, error: unknown): CardText | null {
  if (error instanceof InputError) {
    const { message: what, example, next } = error;
    const hint = example === null ? 'Change it and try again.' : mrkdwn`For example: ${code(example, 200)}`;
    return { what, next: next ?? hint };
  }
  if (!(error instanceof NotOperatorError)) return null;
  const names = [...operators.groups.map((id) => mention({ kind: 'user-group', id })), ...operators.users.map(person)];
  if (names.length > 0) return { what: 'Only operators can do this.', next: mrkdwn`Ask ${listed(names)}.` };
  return {
    what: "This is off: NOTIF_OPERATORS isn't set.",
    next: "Ask Notif's admins to set it to the Slack IDs of people or user groups.",
  };
}

function loggedText(ctx: ErrorCtx, error: unknown, reference: string): CardText {
  if (error instanceof ServiceError) {
    const { environment: name, operation, problem } = error;
    const fields = { reference, environment: name, operation, problem: problem.kind, err: error };
    ctx.logger.warn(fields, "The service couldn't be asked");
    const environment = ctx.environments.find((known) => known.name === name);
    return environment ? failedRequest(error, environment) : UNEXPECTED;
  }
  if (error instanceof WebAPIPlatformError && isUnreached(error.data.error)) {
    ctx.logger.warn({ reference, err: error }, 'Slack refused a direct message');
    return unreachedText(error.data.error);
  }
  ctx.logger.error({ reference, err: error }, "An interaction couldn't be answered");
  const refused = tokenRefusal(error);
  if (refused !== null) return tokenText(refused);
  if (error instanceof PersonUnknownError) return unknownText(error);
  if (error instanceof StoreTroubleError) return STORE_TROUBLES[error.trouble];
  if (error instanceof WebAPIPlatformError && error.data.error === 'expired_trigger_id')
    return { what: "Slack's 3-second limit for opening a form ran out.", next: 'Try again.' };
  return UNEXPECTED;
}

/** Slack refused a direct message to the person. */
export function unreachedText(code: string): Explanation {
  const { why, fix } = unreachedWords(code);
  return { what: `Slack doesn't let Notif write to you: ${why}.`, next: `${fix}.` };
}

function tokenRefusal(error: unknown): string | null {
  const code = slackCode(error);
  return code !== null && isTokenRefused(code) ? code : null;
}

function slackCode(error: unknown): string | null {
  if (error instanceof PersonUnknownError) return error.reason;
  return error instanceof WebAPIPlatformError ? error.data.error : null;
}

function tokenText(code: string): Explanation {
  return {
    what: `Slack refuses Notif's bot token (${code}): Notif can neither post nor ask Slack anything.`,
    next: "Ask Notif's admins to install the Slack app again, without token rotation, set SLACK_BOT_TOKEN to its new token, and restart Notif.",
  };
}

function unknownText({ group, reason }: PersonUnknownError): CardText {
  const unsaid =
    group === null
      ? 'who you are'
      : mrkdwn`who is in ${mention({ kind: 'user-group', id: group })}, an operators' group`;
  const isToFix = reason === 'missing_scope';
  return {
    what: mrkdwn`Slack didn't say whether you can do this: it doesn't say ${unsaid} (${reason}).`,
    next: isToFix
      ? mrkdwn`Ask Notif's admins to reinstall the Slack app with its manifest: ${code('/notif doctor')} names the scope.`
      : "Try again in a minute. If it happens again, give the reference to Notif's admins.",
  };
}
