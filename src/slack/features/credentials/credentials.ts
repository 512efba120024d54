import type { ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { bare } from '../../../lib/fold.ts';
import { MASK } from '../../../lib/text/mask.ts';
import { type CredentialsOutcome, currentSettings, updateCredentials } from '../../../sendings/credentials.ts';
import { LONGEST_ID } from '../../../sendings/typed-recipients.ts';
import {
  CHAT_PROVIDERS,
  type ChannelSettings,
  type CredentialsUpdate,
  PUSH_PROVIDERS,
} from '../../../service/credentials.ts';
import { failedRequest } from '../../../service/problem-words.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, section } from '../../kit/blocks.ts';
import { cardFor, errorCard } from '../../kit/error-card.ts';
import { confirmErrors, type FilledForm, type FormErrors, readForm } from '../../kit/filled-form.ts';
import { CASE_MATTERS } from '../../kit/filter-words.ts';
import { FormIntent, inFormModal, inModal, intentOf } from '../../kit/in-modal.ts';
import { choiceInput, textInput, typedConfirmInput } from '../../kit/inputs.ts';
import type { FilledView, Submitted } from '../../kit/interaction.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { badge, bold, code, joined, listed, mrkdwn, plural } from '../../kit/text.ts';
import { type Form, formView, keptIn } from '../../kit/views.ts';
import type { Command, Flow } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';

const FORM = 'credentials.form';
const TITLE = 'Credentials';
const PROVIDER = 'credentials.provider';
const INTEGRATION = 'credentials.integration';
const WEBHOOK = 'credentials.webhook';
const TOKENS = 'credentials.tokens';
const CHANNEL = 'credentials.channel';

const TOKENS_HINT =
  'One per line. The service adds them to those that the provider has. To replace those, first update with “none”, which removes all, then with the new ones.';

/** Of a subscriber, shown in a message. */
const MOST_INTEGRATIONS = 10;

type ParsedUpdate = { is: 'invalid'; errors: FormErrors } | { is: 'valid'; update: CredentialsUpdate };

const CredentialsIntent = FormIntent.extend({ environment: z.string(), subscriberId: z.string() });
export type CredentialsIntent = Readonly<z.output<typeof CredentialsIntent>>;

export function credentialsFlow(ctx: SlackCtx): Flow {
  const credentials: Command = {
    word: 'credentials',
    purpose: 'change',
    usage: '<subscriber>',
    about: 'give a subscriber a webhook, device tokens or other credentials of a provider',
    examples: ['user-0042', 'user-0042 env:staging'],
    for: 'operators',
    filters: ['env'],
    follows: 'argument',
    answer: async ({ words, environment }, interaction) => {
      const subscriberId = subscriberIn(words);
      const kept = { ...intentOf(ctx, interaction), environment: environment.name, subscriberId };
      await inModal(ctx, interaction, TITLE, async () => {
        const before = await currentSettings(ctx.serviceOf(environment.name), subscriberId);
        return credentialsView(kept, environment, beforeBlocks(before, environment));
      });
    },
  };
  const routes = routesFor('operators', [{ surface: 'view', id: FORM, take: (view) => take(ctx, view) }]);
  return { commands: [credentials], routes };
}

function subscriberIn([subscriberId, ...others]: readonly string[]): string {
  const isWhole = subscriberId !== undefined && !subscriberId.includes(MASK) && subscriberId.length <= LONGEST_ID;
  if (isWhole && others.length === 0) return subscriberId;
  const what = 'Whose credentials? Name one subscriber, unmasked.';
  throw new InputError('subscriber', what, '/notif credentials user-0042');
}

/** What the service has before the update; `before` is null if it knows no such subscriber. */
function beforeBlocks(before: readonly ChannelSettings[] | null, environment: Environment): Form['blocks'] {
  if (before === null)
    return [section(mrkdwn`⚠️ ${badge(environment)} knows no subscriber with this ID. ${CASE_MATTERS}`)];
  const filled = before.filter(({ credentials }) => credentials.length > 0).slice(0, MOST_INTEGRATIONS);
  if (filled.length === 0) return [context('The service shows no credentials of this subscriber.')];
  return [context('There now, masked. Device tokens stay, and yours are added:'), ...filled.map(settingsSection)];
}

export function credentialsView(
  kept: CredentialsIntent,
  environment: Environment,
  above: Form['blocks'] = [],
): ModalView {
  const text = (blockId: string, label: string, hint: string, isMultiline = false) =>
    textInput({ blockId, label, hint, isMultiline, isOptional: true });
  const providers = [...CHAT_PROVIDERS, ...PUSH_PROVIDERS].map((id) => ({ label: id, value: id }));
  return formView({
    callbackId: FORM,
    title: TITLE,
    submit: 'Update',
    kept,
    blocks: [
      section(mrkdwn`New credentials of ${code(kept.subscriberId, LONGEST_ID)} in ${badge(environment)}`),
      ...above,
      choiceInput('static_select', { blockId: PROVIDER, label: 'Provider' }, providers, null),
      text(INTEGRATION, 'Integration', 'The identifier of one of several that the provider has.'),
      text(WEBHOOK, 'Webhook URL', 'It replaces the one that the provider has for this subscriber.'),
      text(TOKENS, 'Device tokens', TOKENS_HINT, true),
      text(CHANNEL, 'Channel', 'Where the provider posts, if it asks for one: town-square'),
      context('Sent only to the service and stored nowhere else.'),
      environment.isProtected && typedConfirmInput(environment),
    ],
  });
}

export function parseUpdate(filled: FilledForm, environment: Environment): ParsedUpdate {
  const { field, errors, hasErrors } = readForm(filled);
  Object.assign(errors, confirmErrors(environment, filled.valueIn));
  const optional = <Value>(blockId: string, parse: (text: string) => Value) =>
    field(blockId, (text) => (bare(text) === '' ? undefined : parse(bare(text))), undefined);
  // Slack requires a choice of provider.
  const providerId = filled.valueIn(PROVIDER) ?? '';
  const integrationIdentifier = optional(INTEGRATION, String);
  const webhookUrl = optional(WEBHOOK, parseAddress);
  const deviceTokens = optional(TOKENS, parseTokens);
  const channel = optional(CHANNEL, String);
  const credentials = {
    ...(channel && { channel }),
    ...(webhookUrl && { webhookUrl }),
    ...(deviceTokens && { deviceTokens }),
  };
  const isEmpty = Object.keys(credentials).length === 0;
  if (isEmpty && !hasErrors()) errors[WEBHOOK] = 'Fill in this, tokens or a channel.';
  if (hasErrors()) return { is: 'invalid', errors };
  return { is: 'valid', update: { providerId, ...(integrationIdentifier && { integrationIdentifier }), credentials } };
}

function parseAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(new URL(text).protocol)) return text;
  throw new InputError('webhookUrl', 'This is no web address.', 'https://hooks.example.com/…');
}

function parseTokens(text: string): string[] {
  if (text.toLowerCase() === 'none') return [];
  const tokens = text.split(/\s*\n\s*/).map(bare);
  const broken = tokens.findIndex((token) => /\s/.test(token));
  if (broken >= 0) throw new InputError('tokens', `Token ${broken + 1} has a blank in it: put one token on each line.`);
  return [...new Set(tokens)];
}

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = keptIn(CredentialsIntent, view);
  const environment = environmentNamed(kept.environment, ctx.environments);
  const parsed = parseUpdate(view, environment);
  if (parsed.is === 'invalid') return parsed;
  const { update } = parsed;
  return inFormModal(ctx, {
    next: credentialsView(kept, environment, [section('⏳ Updating …')]),
    kept,
    work: async ({ userId: actor }) => {
      const outcome = await updateCredentials(ctx, { ...kept, actor, update });
      return outcome && { content: outcomeMessage(outcome, { ...kept, provider: update.providerId }, environment) };
    },
    failed: (error) => {
      const content = cardFor(ctx, error);
      return { view: credentialsView({ ...kept, intent: ctx.newId() }, environment, content.blocks), content };
    },
  });
}

export function outcomeMessage(
  outcome: CredentialsOutcome,
  { subscriberId, provider }: { subscriberId: string; provider: string },
  environment: Environment,
): MessageContent {
  const subscriber = code(subscriberId, LONGEST_ID);
  if (outcome.is === 'not-found') {
    const what = mrkdwn`There is no subscriber ${subscriber} in ${badge(environment)}: nothing was updated.`;
    return errorCard({ what, next: 'Check the ID for typos, or add env: to use another environment.' });
  }
  if (outcome.is !== 'updated') {
    const { what } = failedRequest(outcome.error, environment);
    const next = mrkdwn`Open the form again to see what is there, or send a test: ${code('/notif trigger')}.`;
    return errorCard({ what: mrkdwn`${what} Notif doesn't resend the credentials of ${subscriber}.`, next });
  }
  const { settings, isDeleted, unreadable } = outcome.current;
  const ofProvider = settings.filter(({ providerId }) => providerId === provider);
  return message([
    section(
      isDeleted
        ? mrkdwn`⚠️ ${badge(environment)} took the credentials, but ${subscriber} is deleted: nothing is sent to it.`
        : mrkdwn`✅ Credentials of ${subscriber} for ${provider} updated in ${badge(environment)}`,
    ),
    context('What the provider has for this subscriber now, masked:'),
    ...ofProvider.slice(0, MOST_INTEGRATIONS).map(settingsSection),
    context(unreadable > 0 && mrkdwn`${plural(unreadable, 'unreadable part')} in the answer`),
  ]);
}

function settingsSection({ providerId, integrationIdentifier, credentials }: ChannelSettings): SectionBlock {
  return section([
    joined([bold(providerId), integrationIdentifier && code(integrationIdentifier)]),
    ...credentials.map(({ field, masked }) => mrkdwn`${field}: ${listed(masked)}`),
    credentials.length === 0 && 'no credentials',
  ]);
}
