import type { ModalView } from '@slack/types';
import { workflowsIn } from '../../../changes/workflows.ts';
import { deliveriesOf } from '../../../judging/judge.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { readEvent } from '../../../lookups/event.ts';
import type { TriggerNow } from '../../../sendings/note-state.ts';
import { keyOfResent, originalOf, withOriginals } from '../../../sendings/original.ts';
import {
  type FilledTrigger,
  inWordsOfTheForm,
  needsPreview,
  planTrigger,
  suggestWorkflows,
  type TriggerPlan,
  workflowNamed,
} from '../../../sendings/plan.ts';
import { sendTrigger } from '../../../sendings/send.ts';
import { refuseIfSentAgain } from '../../../sendings/sent-again.ts';
import { lineFor, unknownRecipients } from '../../../sendings/typed-recipients.ts';
import { isSettled } from '../../../service/event.ts';
import { ServiceError } from '../../../service/service-error.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, divider, section } from '../../kit/blocks.ts';
import { type LookupRequest, parseLookup, writeLookup } from '../../kit/button-values.ts';
import { SEND_AGAIN } from '../../kit/buttons.ts';
import { cardFor } from '../../kit/error-card.ts';
import { chosenEnvironment, confirmErrors } from '../../kit/filled-form.ts';
import { inFormModal, inModal, intentOf, type ModalOutcome } from '../../kit/in-modal.ts';
import { ENVIRONMENT } from '../../kit/inputs.ts';
import type { ActionInteraction, FilledView, Interaction, Submitted } from '../../kit/interaction.ts';
import { asMessage, type MessageContent, withNote } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { badge, code, joined, listed, type Markup, mrkdwn, plural, present } from '../../kit/text.ts';
import { type Form, keptIn } from '../../kit/views.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { actionRoute, routesFor } from '../../router/route.ts';
import {
  blockOf,
  blockToKeep,
  confirmBlockOf,
  fieldsAsDrawn,
  KeptForm,
  maskedText,
  PAYLOAD,
  parseTrigger,
  previewBlocks,
  TRIGGER,
  type TriggerForm,
  triggerView,
  WORKFLOW,
  workflowOptions,
} from './form.ts';

export function triggerFlow(ctx: SlackCtx): Flow {
  const trigger: Command = {
    word: 'trigger',
    purpose: 'change',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    for: 'operators',
    filters: ['subscriber', 'env'],
    follows: 'argument',
    answer: (line, interaction) => openForm(ctx, line, interaction),
  };
  const routes = routesFor('operators', [
    {
      surface: 'shortcut',
      id: 'send_test_notification',
      type: 'global',
      answer: (interaction) => {
        const environment = environmentNamed(undefined, ctx.environments);
        return openForm(ctx, { words: [], filters: {}, environment }, interaction);
      },
    },
    actionRoute(SEND_AGAIN, parseLookup, (request, interaction) => openAgain(ctx, request, interaction)),
    {
      surface: 'options',
      id: WORKFLOW,
      answer: async ({ typed, blockId }) => {
        const known = await workflowsIn(ctx.db, blockId.slice(WORKFLOW.length + 1));
        return workflowOptions(suggestWorkflows(known, typed), typed);
      },
    },
    { surface: 'action', id: ENVIRONMENT, answer: (interaction) => redrawForm(ctx, interaction, null) },
    { surface: 'action', id: WORKFLOW, answer: (interaction) => redrawForm(ctx, interaction, interaction.value) },
    { surface: 'view', id: TRIGGER, take: (view) => takeTrigger(ctx, view) },
  ]);
  return { commands: [trigger], routes };
}

async function openForm(
  ctx: SlackCtx,
  { words, filters, environment }: Pick<CommandLine, 'words' | 'filters' | 'environment'>,
  interaction: Interaction,
) {
  const { environments, db } = ctx;
  const workflow = workflowNamed(await workflowsIn(db, environment.name), words.join(' '));
  const kept = { ...intentOf(ctx, interaction), again: null };
  const initial = { recipients: (filters.subscriber ?? []).map(lineFor).join('\n'), advanced: '' };
  await interaction.openModal(triggerView({ kept, environments, environment, workflow, initial }));
}

function openAgain(ctx: SlackCtx, request: LookupRequest, interaction: ActionInteraction) {
  return inModal(ctx, interaction, 'Send again', async () => {
    const { environments } = ctx;
    const environment = environmentNamed(request.environment, environments);
    const { event, judgment } = await readEvent(ctx, request);
    const original = originalOf(event, request.environment);
    await refuseIfSentAgain(ctx.db, original);
    const { workflow: identifier, subscriberId, payload, advanced } = original;
    const channels = deliveriesOf(event, judgment).map(({ channel, provider }) => channelVia(channel, provider));
    return triggerView({
      kept: { ...intentOf(ctx, interaction), again: writeLookup(request) },
      environments,
      environment,
      workflow: { identifier, name: event.workflow?.name ?? identifier, variables: [] },
      initial: { recipients: lineFor(subscriberId), payload: maskedText(payload), advanced: maskedText(advanced) },
      above: [
        section([
          mrkdwn`Send *${identifier}* to ${code(subscriberId)} again in ${badge(environment)}`,
          channels.length > 0 &&
            mrkdwn`⚠️ Already delivered, and delivered once more by this: *${listed([...new Set(channels)])}*.`,
        ]),
        context(
          !isSettled(event) && '⚠️ A step is in progress or stuck, and may still be sent without this.',
          'Not carried over: actor, tenant and attachments.',
        ),
      ],
    });
  });
}

async function redrawForm(ctx: SlackCtx, { modal }: ActionInteraction, chosen: string | null) {
  if (modal === null) return;
  const { environments, db } = ctx;
  const kept = keptIn(KeptForm, modal);
  const environment = chosenEnvironment(modal, environments);
  const identifier = chosen ?? modal.valueIn(blockOf(WORKFLOW, modal)) ?? '';
  const workflow = workflowNamed(await workflowsIn(db, environment.name), identifier);
  const texts = fieldsAsDrawn(modal, blockToKeep(modal, kept));
  await modal.update(triggerView({ kept, environments, environment, workflow, ...texts }));
}

/** A submitted form whose fields could be read. */
interface Filled {
  kept: KeptForm;
  environment: Environment;
  filled: FilledTrigger;
  plan: TriggerPlan;
  /** The preview that the form has to have been submitted with. */
  confirmBlock: string;
  redrawn: (above: Form['blocks'], change?: Partial<TriggerForm>) => ModalView;
}

/** The first submission is checked, and previewed where that is needed; the second confirms the preview. */
function takeTrigger(ctx: SlackCtx, view: FilledView): Submitted {
  const { environments } = ctx;
  const kept = keptIn(KeptForm, view);
  const parsed = parseTrigger(view, environments);
  if (parsed.is === 'invalid') return parsed;
  const { filled, plan } = parsed;
  const environment = environmentNamed(plan.environment, environments);
  const confirmBlock = confirmBlockOf(view, kept);
  const isPreviewed = view.blockIds.includes(confirmBlock);
  const errors = isPreviewed ? confirmErrors(environment, view.valueIn, confirmBlock) : null;
  if (errors !== null) return { is: 'invalid', errors };
  const workflow = { identifier: plan.workflow, name: plan.workflow, variables: [] };
  const texts = fieldsAsDrawn(view, blockOf(PAYLOAD, view));
  const redrawn: Filled['redrawn'] = (above, change = {}) =>
    triggerView({ kept, environments, environment, workflow, ...texts, above, ...change });
  const form = { kept, environment, filled, plan, confirmBlock, redrawn };
  return inFormModal(ctx, {
    next: redrawn([section(mrkdwn`⏳ ${isPreviewed ? 'Sending' : 'Checking'} ${eventsOf(plan, environment)} …`)]),
    kept,
    work: async ({ userId }) => (isPreviewed ? null : await previewIfNeeded(ctx, form)) ?? send(ctx, form, userId),
    failed: (error) => {
      const explained = error instanceof ServiceError ? inWordsOfTheForm(error, plan) : error;
      return unsent(ctx, form, withNote(cardFor(ctx, explained), 'Nothing was sent.'));
    },
  });
}

async function previewIfNeeded(ctx: SlackCtx, form: Filled): Promise<ModalOutcome | null> {
  const { environment, filled, plan, confirmBlock: blockId, redrawn } = form;
  const ids = plan.events.map(({ subscriberId }) => subscriberId);
  const recipients = await unknownRecipients(ctx.serviceOf(plan.environment), ids);
  const isKnown = recipients.unknown.length + recipients.unchecked.length === 0;
  if (isKnown && !needsPreview(plan, environment)) return null;
  const above = previewBlocks(filled.advanced, plan, environment, { blockId, ...recipients });
  return { view: redrawn(above, { submit: `Send ${plan.events.length}` }), content: CLOSED };
}

const CLOSED = asMessage(
  mrkdwn`Nothing was sent: the form was closed before its preview. Open it again: ${code('/notif trigger')}.`,
);

/** The originals of masked fields aren't stored, but read again. */
async function send(ctx: SlackCtx, form: Filled, actor: string): Promise<ModalOutcome | null> {
  const { kept, environment, filled, plan } = form;
  const again = parseLookup(kept.again ?? '');
  const original = again && originalOf((await readEvent(ctx, again)).event, again.environment);
  const unmasked = original === null ? plan : planTrigger(withOriginals(filled, original));
  const eventKey = original && keyOfResent(unmasked, original);
  const answers = await sendTrigger(ctx, { ...unmasked, ...kept, actor, eventKey });
  if (answers === null) return null;
  const content = asMessage(sentWords(answers, plan, environment));
  return answers.every(({ state }) => state === 'refused') ? unsent(ctx, form, content) : { content };
}

/** The form comes back with what was typed, and can be submitted again. */
function unsent({ newId }: SlackCtx, { kept, redrawn }: Filled, content: MessageContent): ModalOutcome {
  return { view: redrawn([...content.blocks, divider()], { kept: { ...kept, intent: newId() } }), content };
}

export function sentWords(answers: readonly TriggerNow[], plan: TriggerPlan, environment: Environment): Markup {
  const count = (state: TriggerNow['state']) => answers.filter((answer) => answer.state === state).length;
  const [sent, refused, unclear] = [count('sent'), count('refused'), count('sending')];
  const what = eventsOf(plan, environment);
  if (refused === answers.length) {
    const reasons = present([...new Set(answers.map(({ why }) => why))]);
    return mrkdwn`🔴 The service refused ${what}: ${listed(reasons, '; ')}. Nothing was sent.`;
  }
  const counts = [
    sent > 0 && mrkdwn`${sent} sent`,
    refused > 0 && mrkdwn`${refused} refused`,
    unclear > 0 && mrkdwn`${unclear} may or may not have gone through`,
  ];
  const outcome = sent === answers.length ? mrkdwn`⏳ Sent ${what}` : mrkdwn`⚠️ ${what}: ${joined(counts, ', ')}`;
  return mrkdwn`${outcome}. Follow it in your DMs with Notif.`;
}

function eventsOf({ events, workflow }: TriggerPlan, environment: Environment) {
  return mrkdwn`${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)}`;
}
