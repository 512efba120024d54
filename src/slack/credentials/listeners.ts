import type { PlainTextOption } from '@slack/types';
import { credentialProvider } from '../../domain/credentials/credential-providers.ts';
import type { CredentialsUpdate } from '../../domain/credentials/credentials.ts';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { Integration } from '../../domain/service/integration.ts';
import { MASK } from '../../domain/text/mask.ts';
import type { CredentialsUpdater } from '../../use-cases/access/update-credentials.ts';
import { type SuggestIntegrationsReader, suggestIntegrations } from '../../use-cases/triggers/suggest-integrations.ts';
import { confirmErrors } from '../blocks/inputs/typed-confirm-input.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction, CommandInteraction, FilledView, OptionsQuery } from '../interactions/interaction.ts';
import { redraw } from '../interactions/redraw.ts';
import { OldButtonError, routesFor, type Submitted } from '../interactions/route.ts';
import { CONFIRM_CREDENTIALS, type Confirming, confirmView, linesToConfirm, ON_ITS_WAY } from './confirm-modal.ts';
import { parseCredentialInputs } from './fields-modal.ts';
import { type KeptForm, parseChosen, parseKept } from './kept-modal.ts';
import {
  CREDENTIALS,
  chosenIntegration,
  chosenProvider,
  credentialsView,
  hasFieldsOf,
  INTEGRATION,
  integrationOptions,
  integrationsWanted,
  PROVIDER,
} from './modal.ts';
import { notUpdated, type UpdateParts, update } from './update.ts';

export interface CredentialsParts extends UpdateParts {
  readonly serviceOf: (environment: string) => CredentialsUpdater & SuggestIntegrationsReader;
}

const COMMAND = '/notif credentials';
const LONGEST_SUBSCRIBER_ID = 255;

/** Slack waits three seconds for options. */
const SUGGEST_WITHIN_MS = 2_000;

/** `/notif credentials` with the choices in its form and its two steps: a subscriber's credentials. */
export function credentialsFlow(parts: CredentialsParts): Flow {
  const credentials: Command = {
    word: 'credentials',
    usage: '<subscriber>',
    about: 'give a subscriber a webhook, device tokens or other credentials of a provider',
    examples: ['user-0042', 'user-0042 env:staging'],
    for: 'operators',
    filters: ['env'],
    answer: async ({ words, environment }, interaction) => {
      await openForm(subscriberIn(words), environment, interaction, parts);
    },
  };
  const routes = routesFor('operators', [
    { surface: 'action', id: PROVIDER, answer: (interaction) => redrawForm(interaction, parts) },
    { surface: 'options', id: INTEGRATION, answer: (query) => optionsOf(query, parts) },
    { surface: 'view', callbackId: CREDENTIALS, take: (view) => check(view, parts) },
    { surface: 'view', callbackId: CONFIRM_CREDENTIALS, take: (view) => confirm(view, parts) },
  ]);
  return { commands: [credentials], routes };
}

function subscriberIn(words: readonly string[]): string {
  const [subscriberId, ...others] = words;
  const example = `${COMMAND} user-0042`;
  if (subscriberId === undefined) throw new InputError('subscriber', 'Whose credentials? Name a subscriber.', example);
  if (others.length > 0) throw new InputError('subscriber', 'One subscriber at a time.', example);
  if (subscriberId.includes(MASK)) {
    const rule = `Notif can't tell a real one with ${MASK} from those, and updates neither.`;
    throw new InputError(
      'subscriber',
      `This ID has ${MASK} in it, as masked ones do. Give the whole one. ${rule}`,
      example,
    );
  }
  if (subscriberId.length > LONGEST_SUBSCRIBER_ID) {
    throw new InputError('subscriber', `A subscriber ID has at most ${LONGEST_SUBSCRIBER_ID} characters.`, example);
  }
  return subscriberId;
}

async function openForm(
  subscriberId: string,
  environment: Environment,
  interaction: CommandInteraction,
  { newId }: CredentialsParts,
): Promise<void> {
  const { answerUrl, channelId: channel } = interaction;
  const kept = { intent: newId(), answerUrl, channel, environment: environment.name, subscriberId };
  await interaction.openModal(credentialsView(kept, environment, null));
}

function redrawForm(interaction: ActionInteraction, parts: CredentialsParts): Promise<void> {
  const draw = ({ privateMetadata }: FilledView) => {
    const kept = ofThisVersion(parseKept(privateMetadata));
    return credentialsView(kept, environmentOf(kept, parts), credentialProvider(interaction.value));
  };
  return redraw(interaction, draw, parts);
}

async function optionsOf({ typed, blockId }: OptionsQuery, parts: CredentialsParts): Promise<PlainTextOption[]> {
  const wanted = integrationsWanted(blockId);
  if (wanted === null) return [];
  return integrationOptions(await integrationsIn(wanted.environment, parts), wanted.provider, typed);
}

/** Returns no integrations if they can't be loaded in time: people can still choose what they typed. */
async function integrationsIn(environment: string, parts: CredentialsParts): Promise<readonly Integration[]> {
  const signal = AbortSignal.timeout(SUGGEST_WITHIN_MS);
  try {
    return await suggestIntegrations(parts.serviceOf(environment), { who: 'person', signal });
  } catch (error) {
    parts.logger.warn({ err: error, environment }, "integrations couldn't be read to suggest them");
    return [];
  }
}

/** Handles the first step: shows what was filled in for confirmation. */
function check(view: FilledView, parts: CredentialsParts): Submitted {
  const kept = ofThisVersion(parseKept(view.privateMetadata));
  const provider = chosenProvider(view);
  if (provider === null) return { is: 'refused', errors: { [PROVIDER]: 'Choose a provider.' } };
  const environment = environmentOf(kept, parts);
  if (!hasFieldsOf(provider, environment, view)) return shows(credentialsView(kept, environment, provider));
  const read = parseCredentialInputs(provider, view);
  if (read.is === 'wrong') return { is: 'refused', errors: read.errors };
  const shown = linesToConfirm(read.credentials);
  const form = { ...kept, provider: provider.id, integration: chosenIntegration(view), shown };
  return shows(confirmView({ form, environment, provider }, { news: null }));
}

/** Handles the second step. Changed values are shown again for confirmation. */
function confirm(view: FilledView, parts: CredentialsParts): Submitted {
  const confirming = confirmingOf(view, parts);
  const { form, environment, provider } = confirming;
  const read = parseCredentialInputs(provider, view);
  if (read.is === 'wrong') return { is: 'refused', errors: read.errors };
  const shown = linesToConfirm(read.credentials);
  if (shown !== form.shown) return shows(confirmView({ ...confirming, form: { ...form, shown } }, { news: null }));
  const errors = confirmErrors(environment, view.valueIn);
  if (Object.keys(errors).length > 0) return { is: 'refused', errors };
  const wanted = updateOf(confirming, read.credentials);
  return {
    is: 'taken',
    next: confirmView(confirming, { news: ON_ITS_WAY }),
    answerUrl: form.answerUrl,
    answer: (interaction) => update(confirming, wanted, interaction, parts),
    refused: (error, interaction) => notUpdated(error, confirming, interaction, parts),
  };
}

function confirmingOf(view: FilledView, parts: CredentialsParts): Confirming {
  const form = ofThisVersion(parseChosen(view.privateMetadata));
  const provider = ofThisVersion(credentialProvider(form.provider));
  return { form, environment: environmentOf(form, parts), provider };
}

function updateOf({ form }: Confirming, credentials: CredentialsUpdate['credentials']): CredentialsUpdate {
  const { provider: providerId, integration } = form;
  return { providerId, ...(integration === null ? {} : { integrationIdentifier: integration }), credentials };
}

function ofThisVersion<Read>(read: Read | null): Read {
  if (read === null) throw new OldButtonError();
  return read;
}

function shows(next: ReturnType<typeof confirmView>): Submitted {
  return { is: 'taken', next, answer: async () => {} };
}

function environmentOf({ environment }: KeptForm, { environments }: CredentialsParts): Environment {
  return environmentNamed(environment, environments);
}
