import type { InputBlock, KnownBlock } from '@slack/types';
import type { CredentialProvider } from '../../domain/credentials/credential-providers.ts';
import type { CredentialField } from '../../domain/credentials/credentials.ts';
import { type CredentialsRead, parseCredentials } from '../../domain/credentials/parse-credentials.ts';
import { withExample } from '../../domain/errors.ts';
import { context } from '../blocks/blocks.ts';
import { checkboxInput } from '../blocks/inputs/choice-inputs.ts';
import { type TextInput, textInput } from '../blocks/inputs/inputs.ts';
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
  webhookUrl: { hint: 'As the chat provider gave it out.', placeholder: 'https://…' },
  channel: { hint: 'As the provider calls it.' },
  deviceTokens: { hint: 'All that the subscriber is to have, one a line.' },
  alertUid: { hint: 'Of the alert in Grafana OnCall.' },
  title: { hint: 'Of the alert in Grafana OnCall.' },
  imageUrl: { hint: 'A picture for the alert.', placeholder: 'https://…' },
  state: { hint: 'Of the alert in Grafana OnCall.' },
  externalUrl: { hint: 'Where the alert has more details.', placeholder: 'https://…' },
};

/** What the service refuses about fields; each is shown under its field. */
export type FieldTroubles = ReadonlyMap<CredentialField, string>;

/**
 * The fields of a provider. They are the same blocks in each step: Slack keeps what was typed in a block that is still there after an
 * update of the view.
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

/** An empty field removes nothing: whether all tokens are to be removed is asked for by itself. */
const EMPTY_TOKENS = 'credentials.empty-tokens';
const REMOVE_ALL = { value: 'all', label: 'Remove all device tokens' };

function emptyInput(): InputBlock {
  return checkboxInput({ blockId: EMPTY_TOKENS, label: 'Or', isOptional: true }, [REMOVE_ALL], []);
}

/** What is filled in, by block. */
interface FilledFields {
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

/** What was filled in, or what is wrong with it, by block. */
export function parseCredentialInputs(
  provider: CredentialProvider,
  { valueIn, valuesIn }: FilledFields,
):
  | Extract<CredentialsRead, { is: 'complete' }>
  | { readonly is: 'wrong'; readonly errors: { readonly [blockId: string]: string } } {
  const isEmptied = valuesIn(EMPTY_TOKENS).includes(REMOVE_ALL.value);
  const read = parseCredentials(provider, (field) => valueIn(blockOf(field)) ?? '', isEmptied);
  if (read.is === 'complete') return read;
  const errors = [...read.errors].map(([field, error]) => [blockOf(field), withExample(error)] as const);
  return { is: 'wrong', errors: Object.fromEntries(errors) };
}

function blockOf(field: CredentialField): string {
  return `credentials.field.${field}`;
}
