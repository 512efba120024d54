import type { InputBlock } from '@slack/types';
import type { TriggerOptions } from '../../domain/service/query.ts';
import { parseTransactionId } from '../../domain/triggers/trigger-input.ts';
import { NO_OPTIONS } from '../../domain/triggers/trigger-plan.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { checkboxInput, textInput } from '../blocks/inputs/inputs.ts';
import { type OptionBlocks, parseField, parseOptionFields, referenceInputs } from './filled-modal.ts';
import { rowsInputs } from './rows-modal.ts';

/** The options that are folded until ticked. Slack sends a tick to Notif at once. */
export const MORE = 'trigger.more';

export const PROFILES = 'trigger.profiles';
const TRANSACTION = 'trigger.transaction';
const OPTIONS: OptionBlocks = {
  overrides: 'trigger.overrides',
  actor: 'trigger.actor',
  tenant: 'trigger.tenant',
  context: 'trigger.context',
};

const CHOICES = [
  { value: 'rows', label: "More room for rows (Slack's fields are limited)" },
  { value: 'options', label: 'Transaction ID, overrides, actor, tenant, context' },
  { value: 'profiles', label: 'Profiles: this updates the subscribers themselves' },
] as const;

export type More = (typeof CHOICES)[number]['value'];

/** Returns what is ticked. */
export function ticked(filled: FilledForm): readonly More[] {
  const values = filled.valuesIn(MORE);
  return CHOICES.map(({ value }) => value).filter((value) => values.includes(value));
}

/** Builds '▸ More' and below it the fields of what is ticked. */
export function moreInputs(more: readonly More[]): InputBlock[] {
  const boxes = checkboxInput({ blockId: MORE, label: '▸ More', isOptional: true }, CHOICES, more);
  return [
    { ...boxes, dispatch_action: true },
    ...(more.includes('options') ? optionInputs() : []),
    ...(more.includes('profiles') ? profileInputs() : []),
  ];
}

function optionInputs(): InputBlock[] {
  const field = (blockId: string, label: string, hint: string, isMultiline = false) =>
    textInput({ blockId, label, hint, isMultiline, isOptional: true });
  return [
    field(TRANSACTION, 'Transaction ID', 'Your own ID, for a single subscriber; otherwise Notif creates one.'),
    field(OPTIONS.overrides, 'Overrides', 'A JSON object with provider IDs as keys: {"sendgrid": {…}}', true),
    ...referenceInputs(OPTIONS),
    field(OPTIONS.context, 'Context', 'One name:value per line: region:eu', true),
  ];
}

function profileInputs(): InputBlock[] {
  return rowsInputs({
    beginning: PROFILES,
    label: 'Profiles',
    hint:
      'This updates the subscribers at the service, for everything that is sent to them from then on. Rows as above, with ' +
      'firstName, lastName, email, phone, avatar, locale, timezone or data.',
    isLong: false,
  });
}

/** The fields that can be folded. */
const UNFOLDED = { options: [TRANSACTION, ...Object.values(OPTIONS)], profiles: [PROFILES] };

/**
 * Returns whether a choice's fields count. Content in a field whose choice isn't ticked, as when Slack couldn't redraw the form, is neither
 * sent nor silently dropped: it's an error.
 */
export function isUnfolded(choice: keyof typeof UNFOLDED, filled: FilledForm, errors: Record<string, string>): boolean {
  if (ticked(filled).includes(choice)) return true;
  for (const blockId of UNFOLDED[choice]) {
    if ((filled.valueIn(blockId) ?? '').trim() !== '') errors[blockId] = 'Tick this under ▸ More, or empty the field.';
  }
  return false;
}

/** Parses the unfolded options for all events. */
export function parseOptions(filled: FilledForm, errors: Record<string, string>): TriggerOptions {
  return isUnfolded('options', filled, errors) ? parseOptionFields(OPTIONS, filled, errors) : NO_OPTIONS;
}

/** Parses a transaction ID that the person chose. */
export function parseOwnTransaction(filled: FilledForm, events: number, errors: Record<string, string>): string | null {
  if (!ticked(filled).includes('options')) return null;
  return parseField(TRANSACTION, filled, { read: (text) => parseTransactionId(text, events), instead: null, errors });
}
