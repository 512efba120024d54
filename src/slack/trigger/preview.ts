import type { InputBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { Payload } from '../../domain/text/payload.ts';
import type { FilledTrigger, TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { alert, context, divider, type MessageBlock, section } from '../blocks/blocks.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { checkboxInput } from '../blocks/inputs/inputs.ts';
import { confirmErrors, typedConfirmInput } from '../blocks/inputs/typed-confirm-input.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import type { KeptForm } from './form.ts';

const YES = 'yes';

const MOST_SHOWN = 5;
const LONGEST_JSON = 250;

export interface TriggerPreview {
  readonly filled: FilledTrigger;
  readonly plan: TriggerPlan;
  readonly environment: Environment;
  /** The confirmation's block, which is another one for other content. */
  readonly confirmBlock: string;
  readonly again: KeptForm['again'];
}

/**
 * The confirmation comes first and has the focus: a form stays scrolled to the button that was clicked, and people must
 * not send what they haven't seen.
 */
export function previewBlocks(preview: TriggerPreview): MessageBlock[] {
  const { filled, plan } = preview;
  const [first] = plan.events;
  const repeated = filled.rows.length - plan.events.length;
  return [
    confirmInput(preview),
    ...(repeated > 0 ? [context(mrkdwn`${plural(repeated, 'duplicate row')} left out: each row is sent once.`)] : []),
    section(joined(rowLines(preview), '\n')),
    ...(filled.advanced.isEmpty ? [] : [section(mrkdwn`Advanced ${jsonOf(filled.advanced)}`)]),
    ...(first === undefined || first.profile === null
      ? []
      : [alert('warning', mrkdwn`This updates the subscriber at the service: ${jsonOf(first.profile)}`)]),
    context(mrkdwn`Change anything below to see the preview again.`),
    divider(),
  ];
}

function confirmInput({ plan, environment, confirmBlock: blockId }: TriggerPreview): InputBlock {
  const { name, label, isProtected } = environment;
  const what = `Preview · ${plural(plan.events.length, 'event')} of ${plan.workflow} in ${label}`;
  const field = { blockId, label: what, isFocused: true };
  if (isProtected) {
    const hint = `${label} is a protected environment: type ${name} to send there. Nothing was sent yet.`;
    return typedConfirmInput(environment, { ...field, hint });
  }
  const yes = { value: YES, label: plan.events.length === 1 ? 'Yes, send it' : 'Yes, send them' };
  return checkboxInput({ ...field, hint: 'Nothing was sent yet.' }, [yes], []);
}

export function confirmationErrors(view: FilledForm, environment: Environment, blockId: string): FormErrors {
  if (environment.isProtected) return confirmErrors(environment, view.valueIn, blockId);
  return view.valuesIn(blockId).includes(YES) ? {} : { [blockId]: 'Tick this to send.' };
}

function rowLines({ plan: { events }, again }: TriggerPreview): Markup[] {
  const none = again?.isTooLong ? mrkdwn`the original payload` : mrkdwn`no payload`;
  const rows = events
    .slice(0, MOST_SHOWN)
    .map(
      ({ subscriberId, payload }, index) =>
        mrkdwn`${index + 1}. ${code(subscriberId)} ${payload.isEmpty ? none : jsonOf(payload)}`,
    );
  const more = events.length - rows.length;
  return more === 0 ? rows : [...rows, mrkdwn`… and ${plural(more, 'more row')}`];
}

/** Only the person who typed the values sees them, but they are masked anyway: the person may share their screen. */
function jsonOf(payload: Payload): Markup {
  return code(JSON.stringify(payload.masked(), null, 1).replace(/\n\s*/g, ' '), LONGEST_JSON);
}
