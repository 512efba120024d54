import { environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { MASK } from '../../../lib/text/mask.ts';
import type { CredentialsUpdate } from '../../../service/credentials.ts';
import { updateCredentials } from '../../../triggers/credentials.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import { mrkdwn } from '../../kit/text.ts';
import { resultView } from '../../kit/view.ts';
import type { Command, Flow } from '../../router/command.ts';
import { showOutcome } from '../../router/in-modal.ts';
import type { FilledView, SubmissionInteraction } from '../../router/interaction.ts';
import { cardFor } from '../../router/on-error.ts';
import { routesFor, type Submitted } from '../../router/route.ts';
import { lostAnswerMessage, UPDATED_BEFORE, unknownSubscriberMessage, updatedMessage } from './message.ts';
import { CREDENTIALS, CREDENTIALS_TITLE, credentialsView, type KeptForm, parseKept, parseUpdate } from './modal.ts';

const COMMAND = '/notif credentials';
const LONGEST_SUBSCRIBER_ID = 255;

export function credentialsFlow(ctx: SlackCtx): Flow {
  const credentials: Command = {
    word: 'credentials',
    usage: '<subscriber>',
    about: 'give a subscriber a webhook, device tokens or other credentials of a provider',
    examples: ['user-0042', 'user-0042 env:staging'],
    for: 'operators',
    filters: ['env'],
    answer: async ({ words, environment }, { answerUrl, channelId: channel, openModal }) => {
      const subscriberId = subscriberIn(words);
      const kept = { intent: ctx.newId(), answerUrl, channel, environment: environment.name, subscriberId };
      await openModal(credentialsView(kept, environment));
    },
  };
  const form = { surface: 'view', callbackId: CREDENTIALS, take: (view: FilledView) => take(ctx, view) } as const;
  return { commands: [credentials], routes: routesFor('operators', [form]) };
}

function subscriberIn(words: readonly string[]): string {
  const [subscriberId, ...others] = words;
  const refusal = (what: string) => new InputError('subscriber', what, `${COMMAND} user-0042`);
  if (subscriberId === undefined) throw refusal('Whose credentials? Name a subscriber.');
  if (others.length > 0) throw refusal('One subscriber at a time.');
  if (subscriberId.includes(MASK)) throw refusal(`This ID has ${MASK} in it, as masked ones do. Give the whole one.`);
  if (subscriberId.length > LONGEST_SUBSCRIBER_ID)
    throw refusal(`A subscriber ID has at most ${LONGEST_SUBSCRIBER_ID} characters.`);
  return subscriberId;
}

const ON_ITS_WAY = [section(mrkdwn`⏳ Updating …`)];

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = parseKept(view.privateMetadata);
  const environment = environmentNamed(kept.environment, ctx.environments);
  const read = parseUpdate(view, environment);
  if ('errors' in read) return { is: 'refused', errors: read.errors };
  return {
    is: 'taken',
    next: credentialsView(kept, environment, ON_ITS_WAY),
    answerUrl: kept.answerUrl,
    answer: (interaction) => send(ctx, kept, read.update, interaction),
    refused: (error, interaction) => notUpdated(ctx, error, kept, interaction),
  };
}

async function send(
  ctx: SlackCtx,
  kept: KeptForm,
  update: CredentialsUpdate,
  interaction: SubmissionInteraction,
): Promise<void> {
  const { answerUrl: _, ...confirmed } = kept;
  try {
    const outcome = await updateCredentials(ctx, { ...confirmed, actor: interaction.userId, update });
    const environment = environmentNamed(kept.environment, ctx.environments);
    const updated = { subscriberId: kept.subscriberId, provider: update.providerId, environment };
    if (outcome.is === 'before') await interaction.outside.show(UPDATED_BEFORE);
    else {
      const content =
        outcome.is === 'updated'
          ? updatedMessage(updated, outcome.held)
          : outcome.is === 'not-found'
            ? unknownSubscriberMessage(updated)
            : lostAnswerMessage(updated, outcome.error);
      await showOutcome(resultView(content, CREDENTIALS_TITLE), content, interaction, ctx.logger);
    }
  } catch (error) {
    await notUpdated(ctx, error, kept, interaction);
  }
  await ctx.wakeDelivery();
}

/** What was typed can be sent again as another intent. */
async function notUpdated(
  ctx: SlackCtx,
  error: unknown,
  kept: KeptForm,
  interaction: SubmissionInteraction,
): Promise<void> {
  const card = cardFor(ctx, error);
  const environment = environmentNamed(kept.environment, ctx.environments);
  const again = { ...kept, intent: ctx.newId() };
  await showOutcome(credentialsView(again, environment, card.blocks), card, interaction, ctx.logger);
}
