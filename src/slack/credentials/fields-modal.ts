import type { InputBlock, KnownBlock } from '@slack/types';
import type { CredentialProvider } from '../../domain/credentials/credential-providers.ts';
import type { CredentialField } from '../../domain/credentials/credentials.ts';
import { type CredentialsRead, parseCredentials } from '../../domain/credentials/parse-credentials.ts';
import { withExample } from '../../domain/errors.ts';
import { context } from '../blocks/blocks.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { checkboxInput, type TextInput, textInput } from '../blocks/inputs/inputs.ts';
import { mrkdwn } from '../blocks/text.ts';

export const FIELD_LABELS: Readonly<Record<CredentialField, string>> = {
  webhookUrl: 'Webhook URL',
  channel: 'Channel',
  deviceTokens: 'Device tokens',
  alertUid: 'Alert UID',
  title: 'Title',
  imageUrl: 'Image URL',
  state: 'State',
  externalUrl: 'External URL',
};

const HINTS: Readonly<Record<CredentialField, Pick<TextInput, 'hint' | 'placeholder'>>> = {
  webhookUrl: { hint: 'As you got it from the chat provider.', placeholder: 'https://…' },
  channel: { hint: 'As the provider calls it.' },
  deviceTokens: { hint: 'Every token that the subscriber should have, one per line.' },
  alertUid: { hint: "The alert's UID in Grafana OnCall." },
  title: { hint: "The alert's title in Grafana OnCall." },
  imageUrl: { hint: 'A picture for the alert.', placeholder: 'https://…' },
  state: { hint: "The alert's state in Grafana OnCall." },
  externalUrl: { hint: 'Where the alert has more details.', placeholder: 'https://…' },
};

/** The fields that the service refuses, with the reason to show under each. */
export type FieldTroubles = ReadonlyMap<CredentialField, string>;

/**
 * Builds the fields of a provider. The blocks are the same in each step, because Slack keeps what was typed only in blocks that stay when
 * the view is updated.
 */
export function credentialInputs({ fields }: CredentialProvider, troubles: FieldTroubles = new Map()): KnownBlock[] {
  return fields.flatMap((field) => {
    const input = textInput({
      blockId: blockOf(field),
      label: FIELD_LABELS[field],
      ...HINTS[field],
      isMultiline: field === 'deviceTokens',
      isOptional: fields.length > 1 || field === 'deviceTokens',
    });
    const trouble = troubles.get(field);
    const inputs = field === 'deviceTokens' ? [input, emptyInput()] : [input];
    return trouble === undefined ? inputs : [...inputs, context(mrkdwn`⚠️ ${trouble}`)];
  });
}

/** An empty field removes nothing: a separate choice removes all tokens. */
const EMPTY_TOKENS = 'credentials.empty-tokens';
const REMOVE_ALL = { value: 'all', label: 'Remove all device tokens' };

function emptyInput(): InputBlock {
  return checkboxInput({ blockId: EMPTY_TOKENS, label: 'Or', isOptional: true }, [REMOVE_ALL], []);
}

/** Returns what was filled in, or what is wrong with it, by block. */
export function parseCredentialInputs(
  provider: CredentialProvider,
  { valueIn, valuesIn }: Pick<FilledForm, 'valueIn' | 'valuesIn'>,
): Extract<CredentialsRead, { is: 'complete' }> | { readonly is: 'wrong'; readonly errors: FormErrors } {
  const isEmptied = valuesIn(EMPTY_TOKENS).includes(REMOVE_ALL.value);
  const read = parseCredentials(provider, (field) => valueIn(blockOf(field)) ?? '', isEmptied);
  if (read.is === 'complete') return read;
  const errors = [...read.errors].map(([field, error]) => [blockOf(field), withExample(error)] as const);
  return { is: 'wrong', errors: Object.fromEntries(errors) };
}

function blockOf(field: CredentialField): string {
  return `credentials.field.${field}`;
}
