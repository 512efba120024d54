import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { bare } from '../../../lib/fold.ts';
import { MASK } from '../../../lib/text/mask.ts';
import { parseTypedObject } from '../../../lib/text/payload.ts';
import { type ChannelCredentials, CREDENTIAL_FIELDS, type CredentialsUpdate } from '../../../service/credentials.ts';
import { updateCredentials } from '../../../triggers/credentials.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type MessageBlock, section } from '../../kit/blocks.ts';
import {
  confirmErrors,
  type FilledForm,
  type FormErrors,
  input,
  optionOf,
  parseField,
  textInput,
  typedConfirmInput,
} from '../../kit/inputs.ts';
import { PLACEHOLDER_TEXT } from '../../kit/limits.ts';
import { badge, code, mrkdwn, plain } from '../../kit/text.ts';
import { formView, resultView } from '../../kit/view.ts';
import type { Command, Flow } from '../../router/command.ts';
import { FormIntent, showOutcome } from '../../router/in-modal.ts';
import type { FilledView, SubmissionInteraction } from '../../router/interaction.ts';
import { cardFor } from '../../router/on-error.ts';
import { routesFor, type Submitted } from '../../router/route.ts';
import { lostAnswerMessage, UPDATED_BEFORE, unknownSubscriberMessage, updatedMessage } from './message.ts';

const FORM = 'credentials.form';
const TITLE = 'Credentials';
const PROVIDER = 'credentials.provider';
const INTEGRATION = 'credentials.integration';
const WEBHOOK = 'credentials.webhook';
const TOKENS = 'credentials.tokens';
const OTHERS = 'credentials.others';

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
  const form = { surface: 'view', callbackId: FORM, take: (view: FilledView) => take(ctx, view) } as const;
  return { commands: [credentials], routes: routesFor('operators', [form]) };
}

function subscriberIn([subscriberId, ...others]: readonly string[]): string {
  const isWhole = subscriberId !== undefined && !subscriberId.includes(MASK) && subscriberId.length <= 255;
  if (isWhole && others.length === 0) return subscriberId;
  throw new InputError(
    'subscriber',
    'Whose credentials? Name one subscriber, unmasked.',
    '/notif credentials user-0042',
  );
}

/** `news` is what came of an attempt. Drawn again, the form keeps what was typed, because its blocks are the same. */
export function credentialsView(
  kept: KeptForm,
  environment: Environment,
  news: readonly MessageBlock[] = [],
): ModalView {
  const text = (blockId: string, label: string, hint: string, isMultiline = false) =>
    textInput({ blockId, label, hint, isMultiline, isOptional: true });
  const option_groups = Object.entries(PROVIDERS).map(([label, ids]) => ({
    label: plain(label, PLACEHOLDER_TEXT),
    options: ids.map((id) => optionOf({ label: id, value: id })),
  }));
  return formView({
    callbackId: FORM,
    title: TITLE,
    submit: 'Update',
    privateMetadata: JSON.stringify(kept),
    blocks: [
      ...news,
      section(mrkdwn`New credentials of ${code(kept.subscriberId, 255)} in ${badge(environment)}`),
      input({ blockId: PROVIDER, label: 'Provider' }, { type: 'static_select', option_groups }),
      text(INTEGRATION, 'Integration', 'The identifier of one of several that the provider has.'),
      text(WEBHOOK, 'Webhook URL', 'It replaces what the provider had for this subscriber.'),
      text(
        TOKENS,
        'Device tokens',
        'All that the subscriber should have, one per line; or “none” to remove all.',
        true,
      ),
      text(OTHERS, 'Others', `JSON with ${OTHER_FIELDS.join(', ')}: ${OTHERS_EXAMPLE}`, true),
      context(mrkdwn`Sent only to the service and stored nowhere else.`),
      ...(environment.isProtected ? [typedConfirmInput(environment)] : []),
    ],
  });
}

const OTHERS_EXAMPLE = '{"channel": "town-square"}';
const OTHER_FIELDS = CREDENTIAL_FIELDS.filter((field) => field !== 'webhookUrl' && field !== 'deviceTokens');
const Others = z.partialRecord(z.enum(OTHER_FIELDS), z.string());

/** By block. No error quotes a value. */
export function parseUpdate(
  filled: FilledForm,
  environment: Environment,
): { readonly update: CredentialsUpdate } | { readonly errors: FormErrors } {
  const errors: Record<string, string> = { ...confirmErrors(environment, filled.valueIn) };
  const field = <Value>(blockId: string, parse: (text: string) => Value): Value | undefined => {
    const read = (text: string) => (text.trim() === '' ? undefined : parse(text.trim()));
    return parseField(blockId, filled, { read, instead: undefined, errors });
  };
  const providerId = filled.valueIn(PROVIDER) ?? '';
  if (providerId === '') errors[PROVIDER] = 'Choose a provider.';
  const integrationIdentifier = field(INTEGRATION, bare);
  const webhookUrl = field(WEBHOOK, parseAddress);
  const deviceTokens = field(TOKENS, parseTokens);
  const credentials: ChannelCredentials = {
    ...field(OTHERS, parseOthers),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(deviceTokens !== undefined && { deviceTokens }),
  };
  if (Object.keys({ ...errors, ...credentials }).length === 0)
    errors[WEBHOOK] = 'Fill in what is to be sent: nothing is filled in yet.';
  if (Object.keys(errors).length > 0) return { errors };
  return { update: { providerId, ...(integrationIdentifier && { integrationIdentifier }), credentials } };
}

function parseAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(new URL(text).protocol)) return text;
  throw new InputError('webhookUrl', 'This is no web address.', 'https://hooks.example.com/…');
}

function parseTokens(text: string): readonly string[] {
  if (text.toLowerCase() === 'none') return [];
  const tokens = text.split(/\s*\n\s*/);
  const broken = tokens.findIndex((token) => /\s/.test(token));
  if (broken >= 0) throw new InputError('tokens', `Token ${broken + 1} has a blank in it: put one token on each line.`);
  return [...new Set(tokens)];
}

function parseOthers(text: string): Omit<ChannelCredentials, 'webhookUrl' | 'deviceTokens'> {
  const read = Others.safeParse(parseTypedObject('others', text, OTHERS_EXAMPLE));
  if (read.success) return read.data;
  throw new InputError('others', `Only texts named ${OTHER_FIELDS.join(', ')} can stand here.`, OTHERS_EXAMPLE);
}

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = Kept.parse(JSON.parse(view.privateMetadata));
  const environment = environmentNamed(kept.environment, ctx.environments);
  const read = parseUpdate(view, environment);
  if ('errors' in read) return { is: 'refused', errors: read.errors };
  /** What was typed can be sent again as another intent. */
  const notUpdated = (error: unknown, interaction: SubmissionInteraction) => {
    const card = cardFor(ctx, error);
    const again = { ...kept, intent: ctx.newId() };
    return showOutcome(credentialsView(again, environment, card.blocks), card, interaction, ctx.logger);
  };
  return {
    is: 'taken',
    next: credentialsView(kept, environment, [section(mrkdwn`⏳ Updating …`)]),
    answerUrl: kept.answerUrl,
    answer: async (interaction) => {
      try {
        await send(ctx, kept, read.update, interaction);
      } catch (error) {
        await notUpdated(error, interaction);
      }
    },
    refused: notUpdated,
  };
}

async function send(
  ctx: SlackCtx,
  { intent, channel, environment, subscriberId }: KeptForm,
  update: CredentialsUpdate,
  interaction: SubmissionInteraction,
): Promise<void> {
  const command = { intent, channel, environment, subscriberId, actor: interaction.userId, update };
  const outcome = await updateCredentials(ctx, command);
  if (outcome.is === 'before') return interaction.outside.show(UPDATED_BEFORE);
  const place = environmentNamed(environment, ctx.environments);
  const updated = { subscriberId, provider: update.providerId, environment: place };
  const content =
    outcome.is === 'updated'
      ? updatedMessage(updated, outcome.held)
      : outcome.is === 'not-found'
        ? unknownSubscriberMessage(updated)
        : lostAnswerMessage(updated, outcome.error);
  await showOutcome(resultView(content, TITLE), content, interaction, ctx.logger);
}
