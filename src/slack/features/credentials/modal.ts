import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { bare } from '../../../lib/fold.ts';
import { parseTypedObject } from '../../../lib/text/payload.ts';
import { type ChannelCredentials, CREDENTIAL_FIELDS, type CredentialsUpdate } from '../../../service/credentials.ts';
import { context, type MessageBlock, section } from '../../kit/blocks.ts';
import {
  checkboxInput,
  confirmErrors,
  type FilledForm,
  type FormErrors,
  optionOf,
  parseField,
  textInput,
  typedConfirmInput,
} from '../../kit/inputs.ts';
import { PLACEHOLDER_TEXT } from '../../kit/limits.ts';
import { badge, code, mrkdwn, plain } from '../../kit/text.ts';
import { formView } from '../../kit/view.ts';
import { FormIntent } from '../../router/in-modal.ts';

export const CREDENTIALS = 'credentials.form';
export const CREDENTIALS_TITLE = 'Credentials';
const PROVIDER = 'credentials.provider';
const INTEGRATION = 'credentials.integration';
const WEBHOOK = 'credentials.webhook';
const TOKENS = 'credentials.tokens';
const OTHERS = 'credentials.others';
/** An empty field removes nothing: a choice of its own removes all tokens. */
const NO_TOKENS = 'credentials.no-tokens';
const REMOVE_ALL = { value: 'all', label: 'Remove all device tokens' };

/** The providers for which a subscriber can have credentials (contract, "ChannelSettings", `providerId`). */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  Chat: [
    ...['slack', 'discord', 'msteams', 'mattermost', 'ryver', 'zulip', 'grafana-on-call', 'getstream', 'rocket-chat'],
    ...['whatsapp-business', 'chat-webhook', 'svc-slack'],
  ],
  Push: ['fcm', 'apns', 'expo', 'one-signal', 'pushpad', 'push-webhook', 'pusher-beams', 'appio'],
};

const Kept = FormIntent.extend({ environment: z.string(), subscriberId: z.string() });

/** Nothing that was typed in a field. */
export type KeptForm = Readonly<z.output<typeof Kept>>;

export function parseKept(privateMetadata: string): KeptForm {
  return Kept.parse(JSON.parse(privateMetadata));
}

/** `news` is what came of an attempt. Drawn again, the form keeps what was typed, because its blocks are the same. */
export function credentialsView(
  kept: KeptForm,
  environment: Environment,
  news: readonly MessageBlock[] = [],
): ModalView {
  return formView({
    callbackId: CREDENTIALS,
    title: CREDENTIALS_TITLE,
    submit: 'Update',
    privateMetadata: JSON.stringify(kept),
    blocks: [
      ...news,
      section(mrkdwn`New credentials of ${code(kept.subscriberId, 255)} in ${badge(environment)}`),
      {
        type: 'input',
        block_id: PROVIDER,
        label: plain('Provider', PLACEHOLDER_TEXT),
        element: {
          type: 'static_select',
          action_id: PROVIDER,
          option_groups: Object.entries(PROVIDERS).map(([label, ids]) => ({
            label: plain(label, PLACEHOLDER_TEXT),
            options: ids.map((id) => optionOf({ label: id, value: id })),
          })),
        },
      },
      textInput({
        blockId: INTEGRATION,
        label: 'Integration',
        hint: 'The identifier of one of several that the provider has. Empty: whichever is active.',
        isOptional: true,
      }),
      textInput({
        blockId: WEBHOOK,
        label: 'Webhook URL',
        hint: 'As you got it from the chat provider. It replaces what the provider had for this subscriber.',
        isOptional: true,
      }),
      textInput({
        blockId: TOKENS,
        label: 'Device tokens',
        hint: 'Every token that the subscriber should have, one per line: the service replaces or adds to the existing ones.',
        isMultiline: true,
        isOptional: true,
      }),
      checkboxInput({ blockId: NO_TOKENS, label: 'Or', isOptional: true }, [REMOVE_ALL], []),
      textInput({
        blockId: OTHERS,
        label: 'Others',
        hint: 'JSON with channel, alertUid, title, imageUrl, state or externalUrl: {"channel": "town-square"}',
        isMultiline: true,
        isOptional: true,
      }),
      context(mrkdwn`Sent only to the service and stored nowhere else.`),
      ...(environment.isProtected ? [typedConfirmInput(environment)] : []),
    ],
  });
}

/** By block. No error quotes a value. */
export function parseUpdate(
  filled: FilledForm,
  environment: Environment,
): { readonly update: CredentialsUpdate } | { readonly errors: FormErrors } {
  const errors: Record<string, string> = { ...confirmErrors(environment, filled.valueIn) };
  const typed = (blockId: string) => (filled.valueIn(blockId) ?? '').trim();
  const field = <Value>(blockId: string, parse: (text: string) => Value): Value | undefined => {
    const read = (text: string) => (text.trim() === '' ? undefined : parse(text.trim()));
    return parseField(blockId, filled, { read, instead: undefined, errors });
  };
  const providerId = filled.valueIn(PROVIDER);
  if (providerId === null) errors[PROVIDER] = 'Choose a provider.';
  const isEmptied = filled.valuesIn(NO_TOKENS).length > 0;
  if (isEmptied && typed(TOKENS) !== '')
    errors[TOKENS] = 'Leave this empty to remove all device tokens, or untick the box.';
  const webhookUrl = field(WEBHOOK, readAddress);
  const deviceTokens = isEmptied ? [] : field(TOKENS, readTokens);
  const credentials: ChannelCredentials = {
    ...field(OTHERS, readOthers),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(deviceTokens !== undefined && { deviceTokens }),
  };
  if (Object.keys(errors).length === 0 && Object.keys(credentials).length === 0)
    errors[WEBHOOK] = 'Fill in what is to be sent: nothing is filled in yet.';
  if (providerId === null || Object.keys(errors).length > 0) return { errors };
  const integration = bare(typed(INTEGRATION));
  return { update: { providerId, ...(integration !== '' && { integrationIdentifier: integration }), credentials } };
}

function readAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(new URL(text).protocol)) return text;
  throw new InputError('webhookUrl', 'This is no web address.', 'https://hooks.example.com/…');
}

function readTokens(text: string): readonly string[] {
  const tokens = text.split(/\s*\n\s*/);
  const broken = tokens.findIndex((token) => /\s/.test(token));
  if (broken >= 0) throw new InputError('tokens', `Token ${broken + 1} has a blank in it: put one token on each line.`);
  return [...new Set(tokens)];
}

const OTHER_FIELDS = CREDENTIAL_FIELDS.filter((field) => field !== 'webhookUrl' && field !== 'deviceTokens');

function readOthers(text: string): Omit<ChannelCredentials, 'webhookUrl' | 'deviceTokens'> {
  const others = Object.entries(parseTypedObject('others', text, '{"channel": "town-square"}'));
  const isKnown = others.every(
    ([name, value]) => OTHER_FIELDS.some((field) => field === name) && typeof value === 'string',
  );
  if (isKnown) return Object.fromEntries(others);
  throw new InputError(
    'others',
    `Only texts named ${OTHER_FIELDS.join(', ')} can stand here.`,
    '{"channel": "town-square"}',
  );
}
