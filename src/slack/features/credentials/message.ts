import { explainServiceProblem } from '../../../health/explain.ts';
import type { Environment } from '../../../lib/environment.ts';
import type { ServiceError } from '../../../lib/errors.ts';
import type { ChannelSettings, HeldCredentials } from '../../../service/credentials.ts';
import { context, divider, type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import { fitRows } from '../../kit/fit.ts';
import { badge, code, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { errorCard } from '../../kit/words/error-card.ts';

export interface Updated {
  readonly subscriberId: string;
  readonly provider: string;
  readonly environment: Environment;
}

export function updatedMessage(updated: Updated, { settings, isDeleted, unreadable }: HeldCredentials): MessageContent {
  const { subscriberId, provider, environment } = updated;
  const headline = isDeleted
    ? mrkdwn`⚠️ The service took the credentials of ${code(subscriberId, 255)} for ${provider} in ${badge(environment)}, but says that this subscriber is deleted. Nothing is sent to a deleted subscriber.`
    : mrkdwn`✅ Credentials of ${code(subscriberId, 255)} for ${provider} updated in ${badge(environment)}`;
  const theirsFirst = settings.toSorted(
    (a, b) => Number(b.providerId === provider) - Number(a.providerId === provider),
  );
  const held = mrkdwn`What the service holds of this subscriber now, masked:`;
  const { blocks } = fitRows(
    [section(headline), context(held), divider()],
    theirsFirst.map((channel) => [section(settingsRow(channel))]),
    unreadable === 0 ? [] : [context(mrkdwn`${plural(unreadable, 'part')} of the answer couldn't be read.`)],
    (left) => mrkdwn`… and ${plural(left, 'more provider')}`,
  );
  return message(headline, blocks);
}

const MOST_SHOWN = 20;

function settingsRow({ providerId, integrationIdentifier, credentials }: ChannelSettings): Markup {
  const name = mrkdwn`*${providerId}*${integrationIdentifier === null ? '' : mrkdwn` · ${code(integrationIdentifier)}`}`;
  const lines = credentials.map(({ field, masked }) => {
    const more = masked.length > MOST_SHOWN ? ` and ${masked.length - MOST_SHOWN} more` : '';
    return mrkdwn`${field}: ${masked.slice(0, MOST_SHOWN).join(', ')}${more}`;
  });
  return joined([name, ...(lines.length === 0 ? [mrkdwn`no credentials`] : lines)], '\n');
}

export function unknownSubscriberMessage({ subscriberId, environment }: Updated): MessageContent {
  const what = mrkdwn`There is no subscriber ${code(subscriberId, 255)} in ${badge(environment)}: nothing was updated.`;
  return errorCard({ what, next: 'Check the ID for typos, or add env: to use another environment.' }, null);
}

/** Updating again sends the same values once more. */
export function lostAnswerMessage({ subscriberId, environment }: Updated, error: ServiceError): MessageContent {
  const { what } = explainServiceProblem(error, environment);
  return errorCard(
    {
      what: mrkdwn`${what} Notif doesn't resend the credentials of ${code(subscriberId, 255)}.`,
      next: mrkdwn`Send a test to check: ${code('/notif trigger')}. Updating again is safe, except that device tokens may be added twice.`,
    },
    null,
  );
}

export const UPDATED_BEFORE = sentence(
  mrkdwn`This was submitted already: nothing is sent twice. See its outcome in ${code('/notif audit')}.`,
);
