import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import {
  CREDENTIAL_PROVIDERS,
  type CredentialProvider,
  credentialProvider,
} from '../../domain/credentials/credential-providers.ts';
import type { Environment } from '../../domain/environment.ts';
import { bare } from '../../domain/fold.ts';
import type { Integration } from '../../domain/service/integration.ts';
import { badge } from '../blocks/badge.ts';
import { context, option, section } from '../blocks/blocks.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { optionOf, searchInput } from '../blocks/inputs/inputs.ts';
import { BLOCK_ID, MOST_OPTIONS, PLACEHOLDER_TEXT } from '../blocks/limits.ts';
import { code, type Markup, mrkdwn, plain } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { credentialInputs } from './fields-modal.ts';
import { type KeptForm, writeKept } from './kept-modal.ts';

export const CREDENTIALS = 'credentials.form';
export const CREDENTIALS_TITLE = 'Credentials';
/** The choice of a provider. Slack sends it to Notif at once. */
export const PROVIDER = 'credentials.provider';
/** The select's action ID, and the prefix of its block's ID, which continues with the environment and the provider. */
export const INTEGRATION = 'credentials.integration';

/** Builds the first step: the subscriber, the provider and the credentials. */
export function credentialsView(
  kept: KeptForm,
  environment: Environment,
  provider: CredentialProvider | null,
): ModalView {
  return formView({
    callbackId: CREDENTIALS,
    title: CREDENTIALS_TITLE,
    submit: 'Check',
    privateMetadata: writeKept(kept),
    blocks: [
      section(mrkdwn`New credentials of ${code(kept.subscriberId, 255)} in ${badge(environment)}`),
      providerInput(provider),
      ...(provider === null
        ? [context(mrkdwn`What has to be filled in depends on the provider.`)]
        : [
            ...credentialInputs(provider),
            integrationInput(environment, provider),
            context(effect(provider), STORED_NOWHERE),
          ]),
    ],
  });
}

/** Describes what an update does to the existing credentials. */
export function effect({ channel }: CredentialProvider): Markup {
  return channel === 'push'
    ? mrkdwn`Depending on the service, these tokens replace the existing ones or are added to them, so list every token that the subscriber should have.`
    : mrkdwn`This replaces what the provider had for this subscriber.`;
}

const STORED_NOWHERE = mrkdwn`Sent only to the service and stored nowhere else. You confirm before anything is sent.`;

function providerInput(chosen: CredentialProvider | null): InputBlock {
  const group = (channel: CredentialProvider['channel'], label: string) => ({
    label: plain(label, PLACEHOLDER_TEXT),
    options: CREDENTIAL_PROVIDERS.filter((one) => one.channel === channel).map(providerOption),
  });
  return {
    type: 'input',
    block_id: PROVIDER,
    label: plain('Provider', PLACEHOLDER_TEXT),
    dispatch_action: true,
    element: {
      type: 'static_select',
      action_id: PROVIDER,
      option_groups: [group('chat', 'Chat'), group('push', 'Push')],
      ...(chosen === null ? {} : { initial_option: providerOption(chosen) }),
    },
  };
}

function providerOption({ id }: CredentialProvider): PlainTextOption {
  return optionOf({ label: id, value: id });
}

function integrationInput(environment: Environment, provider: CredentialProvider): InputBlock {
  const field = {
    blockId: integrationBlock(environment, provider),
    actionId: INTEGRATION,
    label: 'Integration',
    hint: 'Which one of the provider, where it has several. Empty: whichever is active.',
    isOptional: true,
  };
  return searchInput(field, 'Type to search, or type its identifier', null);
}

/** Parses from a block's ID which integrations a select offers. Null if it isn't of this version. */
export function integrationsWanted(
  blockId: string,
): { readonly environment: string; readonly provider: string } | null {
  const [beginning, environment, provider] = blockId.split(':');
  if (beginning !== INTEGRATION || environment === undefined || provider === undefined) return null;
  return { environment, provider };
}

/** Returns the provider's integrations as choices and, last, what was typed. */
export function integrationOptions(known: readonly Integration[], provider: string, typed: string): PlainTextOption[] {
  const word = bare(typed);
  const offered = known.filter((one) => one.provider === provider && !one.deleted && isFound(one, word));
  const own =
    word === '' || offered.some(({ identifier }) => identifier === word) ? [] : [option(`Use “${word}”`, word)];
  const options = offered.slice(0, MOST_OPTIONS - 1).map(integrationOption);
  return [...options, ...own].filter((one) => one !== null);
}

function isFound({ name, identifier }: Integration, word: string): boolean {
  return `${name}\n${identifier}`.toLowerCase().includes(word.toLowerCase());
}

function integrationOption({ name, identifier, active }: Integration): PlainTextOption | null {
  return option(`${identifier} · ${name}${active ? '' : ' · inactive'}`, identifier);
}

export function chosenProvider(filled: Pick<FilledForm, 'valueIn'>): CredentialProvider | null {
  return credentialProvider(filled.valueIn(PROVIDER));
}

export function chosenIntegration(filled: Pick<FilledForm, 'blockIds' | 'valueIn'>): string | null {
  const block = filled.blockIds.find((blockId) => blockId.startsWith(`${INTEGRATION}:`));
  return block === undefined ? null : filled.valueIn(block);
}

/** Returns whether the form has the fields of this very provider: they appear a moment after it was chosen. */
export function hasFieldsOf(
  provider: CredentialProvider,
  environment: Environment,
  { blockIds }: Pick<FilledForm, 'blockIds'>,
): boolean {
  return blockIds.includes(integrationBlock(environment, provider));
}

/** Only its provider's form has this block. */
function integrationBlock({ name }: Environment, { id }: CredentialProvider): string {
  return `${INTEGRATION}:${name}:${id}`.slice(0, BLOCK_ID);
}
