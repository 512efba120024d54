import { failuresOf } from '../../../incidents/affected.ts';
import { refOf } from '../../../incidents/incident.ts';
import { type IncidentRef, incidentIn, parseIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { openIncidents } from '../../../incidents/open-incidents.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { countsBy } from '../../../lib/group-by.ts';
import { reread } from '../../../sendings/reread-events.ts';
import { brokenEvents, MOST_BROKEN, startResend, stopResends } from '../../../sendings/resend.ts';
import { pathsOf, planResend, sentAgainWords, USUAL_CHOICES, whyNotAtAll } from '../../../sendings/resend-plan.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { withoutBlame } from '../../kit/explanation.ts';
import { confirmErrors } from '../../kit/filled-form.ts';
import { inFormModal, inModal, intentOf } from '../../kit/in-modal.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  Interaction,
  Submitted,
} from '../../kit/interaction.ts';
import { asMessage } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { grouped, mrkdwn, plural } from '../../kit/text.ts';
import { keptIn, waitingView } from '../../kit/views.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { OldButtonError, routesFor } from '../../router/route.ts';
import { type Broken, CHOOSE, choicesView, Kept, parseChoices, TITLE } from './resend-choices.ts';
import { brokenNamed } from './resend-named.ts';
import { againFrom, BACK, leftOutLines, type Planned, previewView, SEND } from './resend-preview.ts';
import { restRoutes } from './resend-rest.ts';

const NOT_SENT = asMessage('Nothing was sent.');

export function resendFlow(ctx: SlackCtx): Flow {
  const resend: Command = {
    word: 'resend',
    purpose: 'incident',
    usage: '<incident> [stop] | <event or transaction ID …>',
    about: 'send again the notifications that an incident broke, or these of them, each once',
    examples: ['#17', '#17 stop', '65f2a1c0d4e5f60718293a4b txn_8f2c91'],
    for: 'operators',
    filters: ['env'],
    answer: (line, interaction) => answerResend(ctx, line, interaction),
  };
  const routes = routesFor('operators', [
    { surface: 'view', id: CHOOSE, take: (view) => choose(ctx, view) },
    { surface: 'view', id: SEND, take: (view) => send(ctx, view) },
    { surface: 'action', id: BACK, answer: (interaction) => goBack(ctx, interaction) },
  ]).concat(restRoutes(ctx));
  return { commands: [resend], routes };
}

/** '#17' is an incident; other words with a digit are IDs of events or transactions, which say of which incident they are. */
async function answerResend(
  ctx: SlackCtx,
  { words, environment }: CommandLine,
  interaction: CommandInteraction,
): Promise<void> {
  const ids = words.filter((word) => parseIncidentRef(word) === null && /\d/.test(word));
  const others = words.filter((word) => !ids.includes(word));
  if (ids.length > 0 && others.every((word) => parseIncidentRef(word) !== null)) {
    const { ref, eventKeys } = await brokenNamed(ctx.db, environment.name, ids);
    return openResend(ctx, ref, interaction, eventKeys);
  }
  const numbers = words.filter((word) => word.toLowerCase() !== 'stop');
  const ref = incidentIn(numbers, 'resend');
  if (numbers.length === words.length) return openResend(ctx, ref, interaction);
  await stopSendingAgain(ctx, ref, interaction);
}

async function stopSendingAgain(ctx: SlackCtx, ref: IncidentRef, { userId, reply }: CommandInteraction): Promise<void> {
  const { id } = await incidentNumbered(ctx.db, ref, ctx.now());
  const isStopped = await stopResends(ctx, id, userId);
  await ctx.wakeOutbox();
  const nothing = mrkdwn`Nothing that ${numberOf(id)} broke is being sent again.`;
  await reply.show(asMessage(isStopped ? '🛑 Stopped: no more are sent.' : nothing));
}

/** `eventKeys`: only these of what it broke are chosen; all if there are none. */
export function openResend(
  ctx: SlackCtx,
  ref: IncidentRef,
  interaction: Interaction,
  eventKeys: readonly string[] = [],
): Promise<void> {
  return inModal(ctx, interaction, TITLE, async () => {
    const broken = await brokenBy(ctx, ref);
    const { incident } = broken;
    if (eventKeys.some((key) => !broken.events.some(({ eventKey }) => eventKey === key))) {
      const what = `Of #${incident.id}, only the newest ${grouped(MOST_BROKEN)} failures can be picked.`;
      throw new InputError('event', what, null, `Send again what it broke: /notif resend #${incident.id}`);
    }
    refuseIfAllSent(broken, eventKeys);
    const { environment } = incident;
    const choices = { ...USUAL_CHOICES, eventKeys: [...eventKeys] };
    const kept = { ...intentOf(ctx, interaction), ...refOf(incident), environment, choices, upTo: null };
    return choicesView(ctx, kept, broken);
  });
}

/** Throws where sending again makes no sense. `upTo`: only failures up to this one are read. */
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

/** Throws if nothing is left to choose, since an empty form wouldn't say why. */
function refuseIfAllSent({ incident, events }: Broken, eventKeys: readonly string[]): void {
  const wanted = events.filter(({ eventKey }) => eventKeys.length === 0 || eventKeys.includes(eventKey));
  const states = wanted.flatMap(({ sentAgain }) => sentAgain ?? []);
  if (states.length < wanted.length) return;
  const counts = [...countsBy(states, sentAgainWords)].map(([words, count]) => `${count} ${words}`);
  const why = counts.length === 0 ? 'none of its failures is kept, or all went through after all' : counts.join(', ');
  const again = againFrom({ incident, events: wanted }).map((number) => `What failed again: /notif resend #${number}.`);
  const next = again.length > 0 ? again.join(' ') : `What became of it: /notif #${incident.id}, View affected.`;
  throw new InputError('events', `Nothing of #${incident.id} can be sent again: ${why}.`, null, next);
}

function choose(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = keptIn(Kept, view);
  const parsed = parseChoices(view, ctx.retentionDays);
  if (parsed.is === 'invalid') return parsed;
  const { choices } = parsed;
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

/** A preview has no room for more incidents, and of an outage of everything there can be thousands. */
const MOST_COMPARED = 100;

async function planned(ctx: SlackCtx, { environment, choices, upTo, ...ref }: Kept): Promise<Planned> {
  const { incident, events } = await brokenBy(ctx, ref, upTo);
  const { now } = ctx;
  const candidates = events.filter((event) => whyNotAtAll(event, choices, now()) === null);
  const read = await reread(candidates, { service: ctx.serviceOf(environment), now, call: PERSON });
  const plan = planResend(events, read, choices, now());
  const { waits, usesStep } = pathsOf(plan, read, now());
  const open = await openIncidents(ctx.db, [environment], MOST_COMPARED, now());
  const others = open.items.filter((other) => other.id !== incident.id && usesStep(other));
  return { incident, events, plan, waits, others };
}

async function goBack(ctx: SlackCtx, { modal }: ActionInteraction): Promise<void> {
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
      await ctx.wakeOutbox();
      if (started === null) return null;
      const where = started.inThread ? "in the incident's thread" : 'in your DMs with Notif';
      const what = mrkdwn`⏳ Sending ${plural(started.events, 'notification')} again. Follow it ${where}.`;
      const others = toSend.length - started.events;
      const taken = others > 0 && mrkdwn`Somebody else has just sent ${others} more of them again.`;
      return { content: asMessage([what, taken, ...leftOutLines(current)]) };
    },
  });
}
