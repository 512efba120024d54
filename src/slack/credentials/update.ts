import type { ModalView } from '@slack/types';
import { CREDENTIAL_FIELDS, type CredentialsUpdate } from '../../domain/credentials/credentials.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ChangeRecord } from '../../use-cases/access/record-change.ts';
import {
  type CredentialsUpdated,
  type CredentialsUpdater,
  updateCredentials,
} from '../../use-cases/access/update-credentials.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { resultView } from '../blocks/view.ts';
import type { SubmissionInteraction } from '../interactions/interaction.ts';
import { cardFor, type ErrorParts } from '../interactions/on-error.ts';
import { type Confirming, confirmView } from './confirm-modal.ts';
import type { FieldTroubles } from './fields-modal.ts';
import { lostAnswerMessage, UPDATED_BEFORE, unknownSubscriberMessage, updatedMessage } from './message.ts';
import { CREDENTIALS_TITLE } from './modal.ts';

export interface UpdateParts extends ErrorParts {
  readonly serviceOf: (environment: string) => CredentialsUpdater;
  readonly store: ChangeRecord;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly wakeDelivery: () => Promise<void>;
}

/**
 * Sends the confirmed credentials once, and shows the result in the modal. If they are refused, the person can change them there and send
 * them as another intent.
 */
export async function update(
  confirmed: Confirming,
  wanted: CredentialsUpdate,
  interaction: SubmissionInteraction,
  parts: UpdateParts,
): Promise<void> {
  const { intent, channel, environment, subscriberId } = confirmed.form;
  const command = { intent, environment, actor: interaction.userId, channel, subscriberId, update: wanted };
  try {
    const outcome = await updateCredentials(command, { ...parts, service: parts.serviceOf(environment) });
    await showOutcome(outcome, confirmed, interaction, parts);
  } catch (error) {
    await notUpdated(error, confirmed, interaction, parts);
  }
  await parts.wakeDelivery();
}

/** Shows why nothing was changed, above what was typed, which can be sent again as another intent. */
export async function notUpdated(
  error: unknown,
  confirmed: Confirming,
  interaction: SubmissionInteraction,
  parts: UpdateParts,
): Promise<void> {
  const card = cardFor(error, parts);
  const again = { ...confirmed, form: { ...confirmed.form, intent: parts.newId() } };
  await show(confirmView(again, { news: card.blocks, troubles: troublesOf(error) }), card, interaction, parts);
}

async function showOutcome(
  outcome: CredentialsUpdated,
  confirmed: Confirming,
  interaction: SubmissionInteraction,
  parts: UpdateParts,
): Promise<void> {
  if (outcome.is === 'before') return interaction.outside.show(UPDATED_BEFORE);
  const content = outcomeMessage(outcome, confirmed);
  await show(resultView(content, CREDENTIALS_TITLE), content, interaction, parts);
}

function outcomeMessage(outcome: Exclude<CredentialsUpdated, { is: 'before' }>, confirmed: Confirming): MessageContent {
  const { form, environment } = confirmed;
  const updated = { subscriberId: form.subscriberId, provider: form.provider, environment };
  switch (outcome.is) {
    case 'updated':
      return updatedMessage(updated, outcome.held);
    case 'not-found':
      return unknownSubscriberMessage(updated);
    case 'unknown':
      return lostAnswerMessage(updated, outcome.error);
  }
}

/** Shows the result in the modal or, if that was closed meanwhile, where the form was requested. */
async function show(
  view: ModalView,
  content: MessageContent,
  interaction: SubmissionInteraction,
  { logger }: UpdateParts,
): Promise<void> {
  try {
    if ((await interaction.modal.update(view)) === 'shown') return;
  } catch (error) {
    logger.warn({ err: error }, 'what came of a change could not be shown in its modal');
  }
  await interaction.outside.show(content);
}

/** Returns the fields that the service refuses, to show the reason under each. The service names fields as `credentials.deviceTokens.0`. */
function troublesOf(error: unknown): FieldTroubles {
  if (!(error instanceof ServiceError) || error.problem.kind !== 'refused') return new Map();
  const { fields, message } = error.problem;
  const named = new Set(fields.flatMap((field) => field.split('.')));
  const said = message === '' ? 'The service refused this.' : `The service says: ${message}`;
  return new Map(CREDENTIAL_FIELDS.filter((field) => named.has(field)).map((field) => [field, said]));
}
