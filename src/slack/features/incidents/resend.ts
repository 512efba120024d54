import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { failuresOf } from '../../../incidents/affected.ts';
import { type IncidentNow, isFiring, refOf } from '../../../incidents/incident.ts';
import { incidentNumbered, openIncidents } from '../../../incidents/lists.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { type IncidentRef, incidentIn } from '../../../lib/input/typed-values.ts';
import { DAY_MS, describeDuration, HOUR_MS, parseDuration, SECOND_MS } from '../../../lib/time/durations.ts';
import { channelName } from '../../../service/channels.ts';
import { PERSON } from '../../../service/query.ts';
import { reread } from '../../../triggers/read-events.ts';
import {
  type BrokenEvent,
  countsBy,
  pathsOf,
  planResend,
  ResendChoices,
  type ResendPlan,
  whyNotAtAll,
} from '../../../triggers/resend-plan.ts';
import { brokenEvents, MOST_BROKEN, startResend, stopResends } from '../../../triggers/sending.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { actions, button, context, divider, lineSections, section } from '../../kit/blocks.ts';
import { withoutBlame } from '../../kit/explanation.ts';
import { FormIntent, inFormModal, inModal, intentOf, KeptRef } from '../../kit/in-modal.ts';
import { type Choice, confirmErrors, readForm, severalInput, textInput, typedConfirmInput } from '../../kit/inputs.ts';
import type { ActionInteraction, FilledView, Interaction, Submitted } from '../../kit/interaction.ts';
import { asMessage, formView, keptIn, waitingView } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { peopleCount } from '../../kit/outcomes.ts';
import { badge, code, grouped, joined, listed, mrkdwn, plural, present, time } from '../../kit/text.ts';
import type { Command, Flow } from '../../router/command.ts';
import { OldButtonError, routesFor } from '../../router/route.ts';

const TITLE = 'Send again';
const CHOOSE = 'resend.choose';
const SEND = 'resend.send';
const BACK = 'resend.back';
const WORKFLOWS = 'resend.workflows';
const WHICH = 'resend.which';
const AGE = 'resend.age';
const LIMIT = 'resend.limit';

const Kept = FormIntent.extend({
  ...KeptRef.shape,
  environment: z.string(),
  choices: ResendChoices,
  /** The preview counted failures up to this one. */
  upTo: z.number().nullable(),
});
type Kept = z.output<typeof Kept>;

export function resendFlow(ctx: SlackCtx): Flow {
  const resend: Command = {
    word: 'resend',
    usage: '<incident> [stop]',
    about: 'send again the notifications that an incident broke, each once',
    examples: ['#17', '#17 stop'],
    for: 'operators',
    filters: [],
    answer: async ({ words }, interaction) => {
      const numbers = words.filter((word) => word.toLowerCase() !== 'stop');
      const ref = incidentIn(numbers, 'resend');
      if (numbers.length === words.length) return openResend(ctx, ref, interaction);
      const { id } = await incidentNumbered(ctx.db, ref, ctx.now());
      const isStopped = await stopResends(ctx, id, interaction.userId);
      await ctx.wakeDelivery();
      const what = isStopped
        ? '🛑 Stopped: no more are sent.'
        : mrkdwn`Nothing that ${numberOf(id)} broke is being sent again.`;
      await interaction.reply.show(asMessage(what));
    },
  };
  const routes = routesFor('operators', [
    { surface: 'view', id: CHOOSE, take: (view) => choose(ctx, view) },
    { surface: 'view', id: SEND, take: (view) => send(ctx, view) },
    { surface: 'action', id: BACK, answer: (interaction) => goBack(ctx, interaction) },
  ]);
  return { commands: [resend], routes };
}

export function openResend(ctx: SlackCtx, ref: IncidentRef, interaction: Interaction): Promise<void> {
  return inModal(ctx, interaction, TITLE, async () => {
    const broken = await brokenBy(ctx, ref);
    const { incident } = broken;
    const { environment } = incident;
    const kept = { ...intentOf(ctx, interaction), ...refOf(incident), environment, choices: USUAL_CHOICES, upTo: null };
    return choicesView(ctx, kept, broken);
  });
}

/** An incident and the events that it broke. */
interface Broken {
  incident: IncidentNow;
  events: readonly BrokenEvent[];
}

async function brokenBy(ctx: SlackCtx, ref: IncidentRef, upTo: number | null = null): Promise<Broken> {
  const incident = await incidentNumbered(ctx.db, ref, ctx.now());
  environmentNamed(incident.environment, ctx.environments);
  if (incident.kind !== 'failures') {
    const what = `Nothing of #${incident.id} can be sent again: it is about the service or a silence, and no notification failed by it.`;
    throw new InputError('kind', what, null, 'Name an incident with failures: /notif handover lists the open ones.');
  }
  const cause = withoutBlame(ctx.explainCause(incident), incident.attempts);
  if (cause.entry?.again === 'never')
    throw new InputError('incident', `Sending again won't help: ${cause.entry.meaning}.`, null, cause.entry.next);
  return { incident, events: await brokenEvents(ctx.db, incident.id, upTo) };
}

const MOST_SENT = 1_000;
/** The preview's metadata, of 3,000 characters, holds the chosen workflows. */
const MOST_CHOSEN = 15;
const USUAL_CHOICES = { workflows: [], isNewestOnly: false, sendsTwice: false, maxAgeMs: DAY_MS, limit: MOST_SENT };
const NEWEST = { value: 'newest', label: 'Only the newest of each subscriber and workflow' };
const TWICE = { value: 'twice', label: 'Also those that another channel delivered: it delivers them once more' };

export function choicesView(
  { environments, retentionDays }: Pick<SlackCtx, 'environments' | 'retentionDays'>,
  kept: Kept,
  { incident, events: broken }: Broken,
): ModalView {
  const { workflows: chosen, isNewestOnly, sendsTwice, maxAgeMs, limit } = kept.choices;
  const workflows = [...countsBy(broken, ({ workflow }) => workflow)].flatMap(([value, events]) =>
    value === null ? [] : [{ value, label: `${value} (${events})` }],
  );
  const people = new Set(broken.flatMap(({ subscriberId }) => subscriberId ?? [])).size;
  const atLeast = broken.length < MOST_BROKEN ? '' : 'At least ';
  const facts = mrkdwn`${atLeast}${plural(broken.length, 'notification')} to ${peopleCount(people)} failed since ${time(incident.firstAt)}.`;
  const which = { blockId: WHICH, label: 'Which notifications', isOptional: true };
  const input = { blockId: WORKFLOWS, label: 'Workflows', hint: 'Leave it empty for all.', isOptional: true };
  const ticked = [isNewestOnly && NEWEST.value, sendsTwice && TWICE.value];
  return formView({
    callbackId: CHOOSE,
    title: TITLE,
    submit: 'Preview',
    kept,
    blocks: [
      section([incidentHeading(incident, environments), facts]),
      workflows.length > 1 && severalInput('multi_static_select', input, workflows, chosen),
      severalInput('checkboxes', which, [NEWEST, TWICE], present(ticked)),
      textInput({
        blockId: AGE,
        label: 'Failed in the last',
        hint: `For example 90m, 2h or 3d: at most ${retentionDays}d, as long as failures are stored.`,
        initial: ageText(maxAgeMs),
      }),
      textInput({
        blockId: LIMIT,
        label: 'At most',
        hint: `From 1 to ${grouped(MOST_SENT)}, newest first.`,
        initial: String(limit),
      }),
      context('Nothing is sent yet: you get a preview first.'),
    ],
  });
}

const ageText = (ms: number): string => (ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${ms / SECOND_MS}s`);

function parseAge(typed: string, retentionDays: number): number {
  const ms = parseDuration(typed.trim());
  if (ms !== null && ms > 0 && ms <= retentionDays * DAY_MS) return ms;
  throw new InputError('age', `Give a time such as 90m, 2h or 3d, of at most ${retentionDays}d.`);
}

function parseLimit(typed: string): number {
  const limit = Number(typed.trim().replaceAll(',', ''));
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_SENT) return limit;
  throw new InputError('limit', `Give a number from 1 to ${grouped(MOST_SENT)}.`);
}

function choose(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = keptIn(Kept, view);
  const { field, errors, hasErrors } = readForm(view);
  const maxAgeMs = field(AGE, (typed) => parseAge(typed, ctx.retentionDays), 0);
  const limit = field(LIMIT, parseLimit, 0);
  const workflows = [...view.valuesIn(WORKFLOWS)];
  if (workflows.length > MOST_CHOSEN) errors[WORKFLOWS] = `Choose at most ${MOST_CHOSEN}, or none for all.`;
  if (hasErrors()) return { is: 'invalid', errors };
  const isTicked = ({ value }: Choice) => view.valuesIn(WHICH).includes(value);
  const ticked = { isNewestOnly: isTicked(NEWEST), sendsTwice: isTicked(TWICE) };
  const choices = { workflows, ...ticked, maxAgeMs, limit };
  return inFormModal(ctx, {
    next: waitingView(TITLE, '⏳ Checking what would be sent …'),
    kept,
    work: async () => {
      const { upTo } = await failuresOf(ctx.db, kept.incidentId, { upTo: null, offset: 0, limit: 0 });
      const chosen = { ...kept, choices, upTo };
      return { view: previewView(ctx, chosen, await planned(ctx, chosen)), content: NOT_SENT };
    },
  });
}

const NOT_SENT = asMessage('Nothing was sent.');

interface Planned extends Broken {
  plan: ResendPlan;
  /** How long each event's delay and digest steps take, in milliseconds; null: nobody knows. */
  waits: readonly (number | null)[];
  /** Other open incidents that these may hit. */
  others: readonly IncidentNow[];
}

async function planned(ctx: SlackCtx, { environment, choices, upTo, ...ref }: Kept): Promise<Planned> {
  const { incident, events } = await brokenBy(ctx, ref, upTo);
  const { now } = ctx;
  const candidates = events.filter((event) => whyNotAtAll(event, choices, now()) === null);
  const read = await reread(candidates, { service: ctx.serviceOf(environment), now, call: PERSON });
  const plan = planResend(events, read, choices, now());
  const { waits, usesStep } = pathsOf(plan, read, now());
  const open = await openIncidents(ctx.db, [environment], 100, now());
  const others = open.items.filter((other) => other.id !== incident.id && usesStep(other));
  return { incident, events, plan, waits, others };
}

function previewView(ctx: SlackCtx, kept: Kept, result: Planned) {
  const { incident, others } = result;
  const { toSend } = result.plan;
  const environment = environmentNamed(kept.environment, ctx.environments);
  const lines = lineSections([
    summaryLine(toSend, environment),
    ...warningLines(result, ctx.environments),
    ...leftOutLines(result),
  ]);
  if (toSend.length === 0) {
    const form = choicesView(ctx, kept, result);
    return { ...form, blocks: [...lines, divider(), ...form.blocks] };
  }
  const firing = [incident, ...others].filter(({ state }) => isFiring(state)).map(({ id }) => `#${id}`);
  const stillFails = {
    blockId: 'resend.firing',
    label: `${firing.join(', ')} ${firing.length === 1 ? 'is' : 'are'} still failing: these may fail again`,
  };
  return formView({
    callbackId: SEND,
    title: TITLE,
    submit: `Send ${toSend.length}`,
    kept,
    blocks: [
      ...lines,
      context('Each is sent once, as a new transaction. Not carried over: actor, tenant and attachments.'),
      firing.length > 0 && severalInput('checkboxes', stillFails, [{ value: 'yes', label: 'Send anyway' }]),
      environment.isProtected && typedConfirmInput(environment),
      ...actions([button('Back', BACK, BACK)]),
    ],
  });
}

function leftOutLines({ incident, events, plan: { leftOut } }: Planned) {
  const reasons = [...countsBy([...leftOut.values()], String)].map(([why, count]) => mrkdwn`• ${count} ${why}`);
  const elsewhere = new Set(events.flatMap(({ failedAgainIn }) => failedAgainIn ?? []));
  elsewhere.delete(incident.id);
  const others = [...elsewhere].map((number) => code(`/notif resend #${number}`));
  return [
    reasons.length > 0 && 'Left out:',
    ...reasons,
    others.length > 0 && mrkdwn`→ What failed again can be sent again from its new incident: ${listed(others)}`,
  ];
}

function summaryLine(toSend: Planned['plan']['toSend'], environment: Environment) {
  if (toSend.length === 0) return mrkdwn`*Nothing can be sent again* in ${badge(environment)}.`;
  const people = countsBy(toSend, ({ subscriberId }) => subscriberId).size;
  const workflows = countsBy(toSend, ({ workflow }) => workflow);
  const names = [...workflows].map(([name, events]) => mrkdwn`${name} (${events})`);
  return mrkdwn`*${plural(toSend.length, 'notification')}* to ${peopleCount(people)} in ${badge(environment)}: ${listed(names)}`;
}

function warningLines({ plan: { twice }, waits, others }: Planned, environments: readonly Environment[]) {
  const channels = [...twice].map(([channel, events]) => mrkdwn`${channelName(channel)} (${events})`);
  const arrivals = countsBy(waits, (ms) => (ms === null ? 'later' : `in about ${describeDuration(ms)}`));
  const late = [...arrivals].map(([when, events]) => mrkdwn`${events} ${when}`);
  const open = others.map((other) => mrkdwn`⚠️ Also open: ${incidentHeading(other, environments)}`);
  return [
    channels.length > 0 && mrkdwn`⚠️ Delivered twice: ${joined(channels, ', ')}`,
    open.length > 0 && listed(open, '\n'),
    late.length > 0 && mrkdwn`⏳ A delay or digest step comes first. Arriving: ${listed(late)}`,
  ];
}

async function goBack(ctx: SlackCtx, { modal }: ActionInteraction) {
  if (modal === null) throw new OldButtonError();
  const kept = keptIn(Kept, modal);
  await modal.update(choicesView(ctx, kept, await brokenBy(ctx, kept)));
}

/** Plans again, to leave out what was delivered or sent since the preview. */
function send(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = keptIn(Kept, view);
  const errors = confirmErrors(environmentNamed(kept.environment, ctx.environments), view.valueIn);
  if (errors !== null) return { is: 'invalid', errors };
  return inFormModal(ctx, {
    next: waitingView(TITLE, '⏳ Starting …'),
    kept,
    work: async ({ userId: actor }) => {
      const current = await planned(ctx, kept);
      const { toSend } = current.plan;
      if (toSend.length === 0) return { view: previewView(ctx, kept, current), content: NOT_SENT };
      const started = await startResend(ctx, { ...kept, actor, toSend });
      await ctx.wakeDelivery();
      if (started === null) return null;
      const where = started.inThread ? "in the incident's thread" : 'in your DMs with Notif';
      const what = mrkdwn`⏳ Sending ${plural(started.events, 'notification')} again. Follow it ${where}.`;
      const others = toSend.length - started.events;
      const taken = others > 0 && mrkdwn`Somebody else has just sent ${others} more of them again.`;
      return { content: asMessage([what, taken, ...leftOutLines(current)]) };
    },
  });
}
