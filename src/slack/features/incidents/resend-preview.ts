import type { InputBlock, ModalView } from '@slack/types';
import { type IncidentNow, isFiring } from '../../../incidents/incident.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { countsBy } from '../../../lib/group-by.ts';
import { describeDuration } from '../../../lib/time/durations.ts';
import type { ResendPlan } from '../../../sendings/resend-plan.ts';
import { channelName } from '../../../service/channels.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { actions, button, context, divider, lineSections } from '../../kit/blocks.ts';
import { severalInput, typedConfirmInput } from '../../kit/inputs.ts';
import { peopleCount } from '../../kit/outcomes.ts';
import { badge, code, joined, type Line, listed, mrkdwn, plural } from '../../kit/text.ts';
import { formView } from '../../kit/views.ts';
import { type Broken, choicesView, type Kept, TITLE } from './resend-choices.ts';

export const SEND = 'resend.send';
export const BACK = 'resend.back';

export interface Planned extends Broken {
  plan: ResendPlan;
  /** How long each event's delay and digest steps take, in milliseconds; null: nobody knows. */
  waits: readonly (number | null)[];
  /** Other open incidents that these may hit. */
  others: readonly IncidentNow[];
}

export function previewView(ctx: SlackCtx, kept: Kept, result: Planned): ModalView {
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
  return formView({
    callbackId: SEND,
    title: TITLE,
    submit: `Send ${toSend.length}`,
    kept,
    blocks: [
      ...lines,
      context('Each is sent once, as a new transaction. Not carried over: actor, tenant and attachments.'),
      ...confirmInputs(environment, firing),
      ...actions([button('Back', BACK, BACK)]),
    ],
  });
}

/** The typed name of a protected environment also confirms that it still fails there. */
function confirmInputs(environment: Environment, firing: readonly string[]): readonly InputBlock[] {
  const stillFails = `${firing.join(', ')} ${firing.length === 1 ? 'is' : 'are'} still failing: these may fail again`;
  const label = firing.length > 0 ? stillFails : undefined;
  if (environment.isProtected) return [typedConfirmInput(environment, undefined, label)];
  if (label === undefined) return [];
  return [severalInput('checkboxes', { blockId: 'resend.firing', label }, [{ value: 'yes', label: 'Send anyway' }])];
}

export function leftOutLines({ incident, events, plan: { leftOut } }: Planned): Line[] {
  const reasons = [...countsBy([...leftOut.values()], String)].map(([why, count]) => mrkdwn`• ${count} ${why}`);
  const others = againFrom({ incident, events }).map((number) => code(`/notif resend #${number}`));
  return [
    reasons.length > 0 && 'Left out:',
    ...reasons,
    others.length > 0 && mrkdwn`→ What failed again can be sent again from its new incident: ${listed(others)}`,
  ];
}

/** The other incidents by which what was sent again failed. */
export function againFrom({ incident, events }: Broken): readonly number[] {
  const elsewhere = new Set(events.flatMap(({ failedAgainIn }) => failedAgainIn ?? []));
  elsewhere.delete(incident.id);
  return [...elsewhere];
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
