import type { Environment } from '../../domain/environment.ts';
import type { Recipient, TriggerAnswer } from '../../domain/triggers/trigger.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, sentence } from '../blocks/blocks.ts';
import { code, joined, type Markup, mrkdwn } from '../blocks/text.ts';
import type { ErrorText } from '../blocks/words/error-card.ts';
import { whyRefused, whyRefusedInFull } from './recipient-message.ts';

/** Says, where a test was requested, what the service answered, and that its progress is shown elsewhere. */
export function pointerMessage(answered: TriggerAnswer, workflow: string, environment: Environment): MessageContent {
  const { recipients } = answered;
  const whom = recipients.length === 1 ? 'one subscriber' : `${recipients.length} rows`;
  const what = mrkdwn`${badge(environment)} · *${workflow}*`;
  const { is, accepted } = answerOf(answered);
  switch (is) {
    case 'unknown':
      return sentence(mrkdwn`${what} may or may not have gone to ${whom}. ${FOLLOW}`);
    case 'sent':
      return sentence(mrkdwn`${what} is sent to ${whom}. ${FOLLOW}`);
    case 'partly-sent': {
      const rows = mrkdwn`${accepted.length} of ${recipients.length} rows`;
      return sentence(mrkdwn`${what} is sent to ${rows}. ${FOLLOW} They say why the others weren't sent.`);
    }
    case 'not-sent': {
      const none = recipients.length === 1 ? whom : `any of ${whom}`;
      return sentence(mrkdwn`${what} wasn't sent to ${none}: ${reasonsOf(recipients, whyRefused)}. ${DETAILS}`);
    }
  }
}

const FOLLOW = 'Follow it in your DMs with Notif.';
const DETAILS = 'Your DMs with Notif have the details.';

/** Explains what is known of a test whose progress can't be posted, so that nobody sends again what was sent. */
export function notPostedExplanation(answered: TriggerAnswer, environment: Environment): ErrorText {
  const { recipients } = answered;
  const { is, accepted } = answerOf(answered);
  const lookup = code(`/notif event ${accepted[0]?.transactionId ?? ''} env:${environment.name}`, 300);
  switch (is) {
    case 'unknown':
      return {
        what: "It may or may not have been sent, and its progress can't be shown here.",
        next: mrkdwn`Check before you send it again: ${lookup}`,
      };
    case 'sent':
      return { what: "It was sent, but its progress can't be shown here.", next: mrkdwn`Look it up: ${lookup}` };
    case 'partly-sent':
      return {
        what: mrkdwn`${accepted.length} of ${recipients.length} rows were sent, but their progress can't be shown here.`,
        next: mrkdwn`Not sent: ${reasonsOf(recipients, whyRefusedInFull)}. Look up one that was: ${lookup}`,
      };
    case 'not-sent':
      return {
        what: mrkdwn`It wasn't sent: ${reasonsOf(recipients, whyRefusedInFull)}`,
        next: 'Change it and send it again: /notif trigger.',
      };
  }
}

/** What the service's answer says of a test as a whole, with the recipients that it didn't refuse. */
interface Answer {
  readonly is: 'sent' | 'partly-sent' | 'not-sent' | 'unknown';
  readonly accepted: readonly Recipient[];
}

/** Returns what the service answered. A recipient that it refused was certainly not sent to. */
function answerOf({ isAnswerLost, recipients }: TriggerAnswer): Answer {
  const accepted = recipients.filter(({ state }) => state.is !== 'refused');
  if (accepted.length === 0) return { is: 'not-sent', accepted };
  if (isAnswerLost || accepted.some(({ state }) => state.is === 'unclear')) return { is: 'unknown', accepted };
  return { is: accepted.length === recipients.length ? 'sent' : 'partly-sent', accepted };
}

const MOST_REASONS = 3;

function reasonsOf(recipients: readonly Recipient[], inWords: typeof whyRefusedInFull): Markup {
  const reasons = recipients.flatMap(({ state }) => (state.is === 'refused' ? [inWords(state)] : []));
  const distinct = [...new Set(reasons)];
  const more = distinct.length > MOST_REASONS ? [mrkdwn`and other reasons`] : [];
  return joined([...distinct.slice(0, MOST_REASONS).map((reason) => mrkdwn`${reason}`), ...more], '; ');
}
