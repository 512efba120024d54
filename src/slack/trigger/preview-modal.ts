import type { InputBlock, KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { TriggerOptions } from '../../domain/service/query.ts';
import type { Payload } from '../../domain/text/payload.ts';
import { scrub } from '../../domain/text/scrub.ts';
import type { PlannedEvent, TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { badge } from '../blocks/badge.ts';
import { alert, context, divider, type MessageBlock, section } from '../blocks/blocks.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { checkboxInput, textInput } from '../blocks/inputs/inputs.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';

import type { FormHead } from './modal.ts';

/** The prefix of the block's ID, which ends in the plan's fingerprint. */
const CONFIRM = 'trigger.confirm';
const YES = 'yes';

/** How many of a plan's rows are shown. */
const MOST_SHOWN = 5;
const LONGEST_JSON = 250;

export interface TriggerPreview {
  readonly plan: TriggerPlan;
  readonly environment: Environment;
  readonly fingerprint: string;
  /** How many rows were duplicates of others. */
  readonly repeatedRows: number;
  readonly phase: 'shown' | 'sending';
}

/**
 * Builds the preview above the form's fields, which people can still change. The confirmation comes first and has the focus: a form stays
 * scrolled to the button that was clicked, and people must not send what they haven't seen.
 */
export function previewHead({ plan, environment, fingerprint, repeatedRows, phase }: TriggerPreview): FormHead {
  const { events } = plan;
  return {
    submit: `Send ${events.length}`,
    previewed: fingerprint,
    blocks: [
      ...(phase === 'sending' ? [section(sendingLine(plan, environment))] : []),
      confirmInput(plan, environment, fingerprint),
      ...notes(events, repeatedRows),
      section(joined(rowLines(events), '\n')),
      ...optionsSection(plan.options, plan.transactionId),
      ...profileAlert(events),
      context(mrkdwn`Change anything below to see the preview again.`),
      divider(),
    ],
  };
}

/** Shown while the service is called. */
function sendingLine({ events, workflow }: TriggerPlan, environment: Environment): Markup {
  return mrkdwn`⏳ Sending ${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)} …`;
}

/** Builds a checkbox, or a field for a protected environment's name, that is new for each plan. */
function confirmInput({ events, workflow }: TriggerPlan, environment: Environment, fingerprint: string): InputBlock {
  const { name, label, isProtected } = environment;
  const blockId = confirmBlock(fingerprint);
  const what = `Preview · ${plural(events.length, 'event')} of ${workflow} in ${label}`;
  if (isProtected) {
    const hint = `${label} is a protected environment: type ${name} to send there. Nothing was sent yet.`;
    return textInput({ blockId, label: what, hint, isFocused: true });
  }
  const yes = { value: YES, label: events.length === 1 ? 'Yes, send it' : 'Yes, send them' };
  return checkboxInput({ blockId, label: what, hint: 'Nothing was sent yet.', isFocused: true }, [yes], []);
}

/** Returns what is wrong with the confirmation of a plan, by block. Null if nothing is. */
export function wrongConfirmation(
  filled: FilledForm,
  { name, label, isProtected }: Environment,
  fingerprint: string,
): FormErrors | null {
  const blockId = confirmBlock(fingerprint);
  if (!isProtected) return filled.valuesIn(blockId).includes(YES) ? null : { [blockId]: 'Tick this to send.' };
  const typed = filled.valueIn(blockId)?.trim().toLowerCase();
  const isNamed = typed === name.toLowerCase() || typed === label.toLowerCase();
  return isNamed ? null : { [blockId]: `Type ${name}, which is protected, to send there.` };
}

function confirmBlock(fingerprint: string): string {
  return `${CONFIRM}:${fingerprint}`;
}

function notes(events: readonly PlannedEvent[], repeatedRows: number): KnownBlock[] {
  const subscribers = new Set(events.map(({ subscriberId }) => subscriberId)).size;
  const lines = [
    ...(repeatedRows > 0 ? [mrkdwn`${plural(repeatedRows, 'duplicate row')} left out: each row is sent once.`] : []),
    ...(subscribers < events.length ? [mrkdwn`To ${plural(subscribers, 'subscriber')}: some get more than one.`] : []),
  ];
  return lines.length === 0 ? [] : [context(...lines)];
}

function rowLines(events: readonly PlannedEvent[]): Markup[] {
  const shown = events.slice(0, MOST_SHOWN);
  const rows = shown.map(
    ({ subscriberId, payload }, index) => mrkdwn`${index + 1}. ${code(subscriberId)} ${jsonOf(payload)}`,
  );
  const more = events.length - shown.length;
  return more === 0 ? rows : [...rows, mrkdwn`… and ${plural(more, 'more row')}`];
}

function optionsSection({ overrides, actor, tenant, context: given }: TriggerOptions, transactionId: string | null) {
  const pairs = Object.entries(given ?? {}).map(([name, value]) => code(scrub(`${name}:${value}`)));
  const lines = [
    ...(transactionId === null ? [] : [mrkdwn`Transaction ID ${code(transactionId)}`]),
    ...(overrides === null ? [] : [mrkdwn`Overrides ${jsonOf(overrides)}`]),
    ...(actor === null ? [] : [mrkdwn`Actor ${code(actor)}`]),
    ...(tenant === null ? [] : [mrkdwn`Tenant ${code(tenant)}`]),
    ...(pairs.length === 0 ? [] : [mrkdwn`Context ${joined(pairs, ' ')}`]),
  ];
  return lines.length === 0 ? [] : [section(joined(lines, '\n'))];
}

/** Only a single subscriber can have one. */
function profileAlert([event]: readonly PlannedEvent[]): MessageBlock[] {
  if (event === undefined || event.profile === null) return [];
  return [alert('warning', mrkdwn`This updates the subscriber at the service: ${jsonOf(event.profile)}`)];
}

/** Formats values. Only the person who typed them sees them, but they are masked anyway: the person may share their screen. */
function jsonOf(payload: Payload): Markup {
  if (payload.isEmpty) return mrkdwn`no payload`;
  return code(JSON.stringify(payload.masked(), null, 1).replace(/\n\s*/g, ' '), LONGEST_JSON);
}
