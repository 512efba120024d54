import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { Payload } from '../../domain/text/payload.ts';
import { parsePayload } from '../../domain/triggers/trigger-input.ts';
import { MOST_EVENTS, planEvents, type TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { parseProfiles } from '../../domain/triggers/trigger-profiles.ts';
import type { Row } from '../../domain/triggers/trigger-rows.ts';
import { ENVIRONMENT } from '../blocks/inputs/environment-input.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { blockOf, parseField } from './filled-modal.ts';
import { PAYLOAD, SUBSCRIBERS, WORKFLOW } from './modal.ts';
import { isUnfolded, PROFILES, parseOptions, parseOwnTransaction } from './more-modal.ts';
import { parseRowsInputs, rowErrors } from './rows-modal.ts';

/** A filled-in form ready to be sent, or what is wrong with it. */
export type TriggerRead =
  | { readonly is: 'complete'; readonly plan: TriggerPlan; readonly repeatedRows: number }
  | { readonly is: 'wrong'; readonly errors: FormErrors };

export function parseTrigger(filled: FilledForm, environments: readonly Environment[]): TriggerRead {
  const errors: Record<string, string> = {};
  const workflow = parseField(blockOf(WORKFLOW, filled), filled, { read: readWorkflow, instead: '', errors });
  const payloadBlock = blockOf(PAYLOAD, filled);
  const payload = parseField(payloadBlock, filled, { read: parsePayload, instead: new Payload({}), errors });
  const rows = readRecipients(filled, errors);
  const events = planEvents(rows, payload, profilesIn(filled, rows, errors));
  if (events.length > MOST_EVENTS) errors[SUBSCRIBERS] = `${events.length} rows, but at most ${MOST_EVENTS} at once.`;
  const transactionId = parseOwnTransaction(filled, events.length, errors);
  const options = parseOptions(filled, errors);
  const environment = readChosenEnvironment(filled, environments, errors);
  if (Object.keys(errors).length > 0) return { is: 'wrong', errors };
  const plan = { environment, workflow, events, options, transactionId };
  return { is: 'complete', plan, repeatedRows: rows.length - events.length };
}

/** Returns the chosen environment's name. If there are several, a missing or removed one isn't guessed. */
function readChosenEnvironment(
  { valueIn }: FilledForm,
  environments: readonly Environment[],
  errors: Record<string, string>,
): string {
  const [first] = environments;
  const chosen = environments.length > 1 ? valueIn(ENVIRONMENT) : (first?.name ?? null);
  if (chosen !== null && environments.some(({ name }) => name === chosen)) return chosen;
  errors[ENVIRONMENT] = 'Choose an environment.';
  return '';
}

function readWorkflow(text: string): string {
  if (text === '') throw new InputError('workflow', 'Choose a workflow.');
  return text;
}

function readRecipients(filled: FilledForm, errors: Record<string, string>): readonly Row[] {
  const { rows, mistakes } = parseRowsInputs(SUBSCRIBERS, filled);
  Object.assign(errors, rowErrors(SUBSCRIBERS, mistakes));
  if (rows.length === 0 && mistakes.length === 0) {
    errors[SUBSCRIBERS] = 'Give at least one subscriber ID. For example: user-1';
  }
  return rows;
}

function profilesIn(
  filled: FilledForm,
  recipients: readonly Row[],
  errors: Record<string, string>,
): ReadonlyMap<string, Payload> {
  if (!isUnfolded('profiles', filled, errors)) return new Map();
  const read = parseRowsInputs(PROFILES, filled);
  const { profiles, mistakes } = parseProfiles(read.rows, recipients);
  Object.assign(errors, rowErrors(PROFILES, [...read.mistakes, ...mistakes]));
  return profiles;
}

export function chosenWorkflow(filled: FilledForm): string | null {
  return filled.valueIn(blockOf(WORKFLOW, filled));
}

/** Returns the block of a payload that the person typed. Null while it's empty or a template, which another one can replace. */
export function typedPayload(filled: FilledForm): string | null {
  const block = blockOf(PAYLOAD, filled);
  return isTemplate(filled.valueIn(block) ?? '') ? null : block;
}

function isTemplate(text: string): boolean {
  try {
    return Object.values(parsePayload(text).forTrigger()).every((value) => value === '');
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
