import type { InputBlock, KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { Payload } from '../../domain/payload.ts';
import { scrub } from '../../domain/scrub.ts';
import type { PlannedEvent, TriggerOptions, TriggerPlan } from '../../domain/trigger-plan.ts';
import { badge } from '../blocks/badge.ts';
import { context, divider, section } from '../blocks/blocks.ts';
import { textInput } from '../blocks/inputs.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import type { Filled } from './filled-modal.ts';
import type { FormHead } from './modal.ts';

const CONFIRM = 'trigger.confirm';

/** So many rows, and subscribers that change, are shown of a plan. */
const MOST_SHOWN = 5;
const LONGEST_JSON = 250;

export interface Preview {
  readonly plan: TriggerPlan;
  readonly environment: Environment;
  readonly fingerprint: string;
  /** How many rows stood there that others are the same as. */
  readonly repeatedRows: number;
  readonly phase: 'shown' | 'sending';
}

/** What would be sent, above the fields of the form, which can still be changed. */
export function previewHead({ plan, environment, fingerprint, repeatedRows, phase }: Preview): FormHead {
  const { events } = plan;
  return {
    submit: `Send ${events.length}`,
    previewed: fingerprint,
    blocks: [
      section(phase === 'sending' ? sendingLine(plan, environment) : previewLine(plan, environment)),
      ...notes(events, repeatedRows),
      section(joined(rowLines(events), '\n')),
      ...optionsSection(plan.options, plan.transactionId),
      ...profilesSection(events),
      ...confirmName(environment, fingerprint),
      context(mrkdwn`Change anything below, and you are shown it anew.`),
      divider(),
    ],
  };
}

function previewLine({ events, workflow }: TriggerPlan, environment: Environment): Markup {
  return mrkdwn`*Preview*: ${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)}. Nothing was sent yet.`;
}

/** While the service is asked. */
function sendingLine({ events, workflow }: TriggerPlan, environment: Environment): Markup {
  return mrkdwn`⏳ Sending ${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)} …`;
}

function notes(events: readonly PlannedEvent[], repeatedRows: number): KnownBlock[] {
  const subscribers = new Set(events.map(({ subscriberId }) => subscriberId)).size;
  const lines = [
    ...(repeatedRows > 0 ? [mrkdwn`${plural(repeatedRows, 'row')} stood there before: sent once.`] : []),
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
    ...(transactionId === null ? [] : [mrkdwn`Transaction id ${code(transactionId)}`]),
    ...(overrides === null ? [] : [mrkdwn`Overrides ${jsonOf(overrides)}`]),
    ...(actor === null ? [] : [mrkdwn`Actor ${code(actor)}`]),
    ...(tenant === null ? [] : [mrkdwn`Tenant ${code(tenant)}`]),
    ...(pairs.length === 0 ? [] : [mrkdwn`Context ${joined(pairs, ' ')}`]),
  ];
  return lines.length === 0 ? [] : [section(joined(lines, '\n'))];
}

function profilesSection(events: readonly PlannedEvent[]): KnownBlock[] {
  const profiles = new Map(events.map(({ subscriberId, profile }) => [subscriberId, profile]));
  const changed = [...profiles].filter((entry): entry is [string, Payload] => entry[1] !== null);
  if (changed.length === 0) return [];
  const lines = changed.slice(0, MOST_SHOWN).map(([id, profile]) => mrkdwn`${code(id)} ${jsonOf(profile)}`);
  const more = changed.length - lines.length;
  const head = mrkdwn`⚠️ This updates the profile of ${plural(changed.length, 'subscriber')} at the service:`;
  return [section(joined([head, ...lines, ...(more > 0 ? [mrkdwn`… and ${more} more`] : [])], '\n'))];
}

/** Values are shown to whoever typed them alone, and scrubbed all the same: they may show their screen. */
function jsonOf(payload: Payload): Markup {
  return payload.isEmpty ? mrkdwn`no payload` : code(JSON.stringify(payload.masked()), LONGEST_JSON);
}

/** A protected environment wants its name typed, for each plan anew. */
function confirmName({ name, label, isProtected }: Environment, fingerprint: string): InputBlock[] {
  if (!isProtected) return [];
  const blockId = confirmBlock(fingerprint);
  return [textInput({ blockId, label: `Type ${name} to confirm`, hint: `${label} is a protected environment.` })];
}

/** What is wrong with the confirmation of a plan, by block; nothing where the environment asks for none. */
export function wrongName(
  filled: Filled,
  { name, label, isProtected }: Environment,
  fingerprint: string,
): { readonly [blockId: string]: string } | null {
  const typed = filled.valueIn(confirmBlock(fingerprint))?.trim().toLowerCase();
  if (!isProtected || typed === name.toLowerCase() || typed === label.toLowerCase()) return null;
  return { [confirmBlock(fingerprint)]: `Type ${name}, which is protected, to send there.` };
}

function confirmBlock(fingerprint: string): string {
  return `${CONFIRM}:${fingerprint}`;
}
