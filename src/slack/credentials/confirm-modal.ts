import type { KnownBlock, ModalView } from '@slack/types';
import type { CredentialProvider } from '../../domain/credentials/credential-providers.ts';
import { type ChannelCredentials, maskedCredentials } from '../../domain/credentials/credentials.ts';
import type { Environment } from '../../domain/environment.ts';
import { badge } from '../blocks/badge.ts';
import { context, divider, type MessageBlock, section } from '../blocks/blocks.ts';
import { typedConfirmInput } from '../blocks/inputs/typed-confirm-input.ts';
import { code, joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { credentialInputs, type FieldTroubles } from './fields-modal.ts';
import { type ChosenForm, writeChosen } from './kept-modal.ts';
import { credentialLines } from './message.ts';
import { CREDENTIALS_TITLE, effect } from './modal.ts';

export const CONFIRM_CREDENTIALS = 'credentials.confirm';

/** What the second step shows besides the confirmation. */
export interface ConfirmState {
  /** The progress or the error of an attempt. Null when the step is first shown. */
  readonly news: readonly MessageBlock[] | null;
  readonly troubles?: FieldTroubles;
}

export interface Confirming {
  readonly form: ChosenForm;
  readonly environment: Environment;
  readonly provider: CredentialProvider;
}

/** Builds the second step: the masked credentials to be sent, and their confirmation. What was typed stays in its fields below. */
export function confirmView({ form, environment, provider }: Confirming, { news, troubles }: ConfirmState): ModalView {
  return formView({
    callbackId: CONFIRM_CREDENTIALS,
    title: CREDENTIALS_TITLE,
    submit: 'Update',
    privateMetadata: writeChosen(form),
    blocks: [
      ...(news ?? []),
      section(mrkdwn`${joined([headline(form, environment), ...shownLines(form)], '\n')}`),
      context(effect(provider)),
      ...typedConfirmInput(environment),
      divider(),
      context(mrkdwn`Not right? Change it here; it is shown again before it is sent.`),
      ...credentialInputs(provider, troubles),
    ],
  });
}

function headline({ subscriberId, provider, integration }: ChosenForm, environment: Environment): Markup {
  const which = integration === null ? mrkdwn`${provider}` : mrkdwn`${provider}, integration ${code(integration)}`;
  const guarded = environment.isProtected ? ', which is protected' : '';
  return mrkdwn`Update ${which} of ${code(subscriberId, 255)} in ${badge(environment)}${guarded}?`;
}

function shownLines({ shown }: ChosenForm): Markup[] {
  return shown.split('\n').map((line) => mrkdwn`${line}`);
}

const TOKENS_REMOVED = 'Device tokens: none. All that the subscriber has for this provider are removed.';

/** Returns the lines to confirm. Other credentials with the same masked lines are covered by the same confirmation. */
export function linesToConfirm(credentials: ChannelCredentials): string {
  const removed = credentials.deviceTokens?.length === 0 ? [TOKENS_REMOVED] : [];
  return [...removed, ...credentialLines(maskedCredentials(credentials))].join('\n');
}

/** Shown while the service is called. The fields stay, because something may need to be changed. */
export const ON_ITS_WAY: readonly KnownBlock[] = [section(mrkdwn`⏳ Updating …`)];
