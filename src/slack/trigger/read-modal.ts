import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { Payload } from '../../domain/text/payload.ts';
import { type Advanced, parseAdvanced } from '../../domain/triggers/advanced.ts';
import { parseRecipients } from '../../domain/triggers/recipients.ts';
import { MOST_EVENTS, NO_OPTIONS, planEvents, type TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { parseTypedObject } from '../../domain/triggers/typed-json.ts';
import { ENVIRONMENT } from '../blocks/inputs/environment-input.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { parseField } from '../blocks/inputs/parse-field.ts';
import { ADVANCED, PAYLOAD, SUBSCRIBERS, WORKFLOW } from './modal.ts';

export type TriggerRead =
  | { readonly is: 'complete'; readonly plan: TriggerPlan; readonly repeatedRows: number }
  | { readonly is: 'wrong'; readonly errors: FormErrors };

const PAYLOAD_EXAMPLE = '{"orderId": "A-17"}';
const NOTHING: Advanced = { options: NO_OPTIONS, transactionId: null, profile: null };

export function parsePayload(text: string): Payload {
  return new Payload(parseTypedObject('payload', text, PAYLOAD_EXAMPLE));
}

export function parseTrigger(filled: FilledForm, environments: readonly Environment[]): TriggerRead {
  const errors: Record<string, string> = {};
  const field = <T>(blockId: string, read: (text: string) => T, instead: T): T =>
    parseField(blockId, filled, { read, instead, errors });
  const environment = field(ENVIRONMENT, () => readEnvironment(filled, environments), '');
  const workflow = field(blockOf(WORKFLOW, filled), readWorkflow, '');
  const payload = field(blockOf(PAYLOAD, filled), parsePayload, new Payload({}));
  const rows = field(SUBSCRIBERS, parseRecipients, []);
  const count = planEvents(rows, payload, null).length;
  const { profile, ...advanced } = field(ADVANCED, (text) => parseAdvanced(text, count), NOTHING);
  const events = planEvents(rows, payload, profile);
  if (count > MOST_EVENTS) errors[SUBSCRIBERS] = `${count} rows, but at most ${MOST_EVENTS} at once.`;
  if (Object.keys(errors).length > 0) return { is: 'wrong', errors };
  const plan = { environment, workflow, events, ...advanced };
  return { is: 'complete', plan, repeatedRows: rows.length - events.length };
}

/** Returns the chosen environment's name. If there are several, a missing or removed one isn't guessed. */
function readEnvironment({ valueIn }: FilledForm, environments: readonly Environment[]): string {
  const [first] = environments;
  const chosen = environments.length > 1 ? valueIn(ENVIRONMENT) : (first?.name ?? null);
  if (chosen !== null && environments.some(({ name }) => name === chosen)) return chosen;
  throw new InputError('environment', 'Choose an environment.');
}

function readWorkflow(text: string): string {
  if (text === '') throw new InputError('workflow', 'Choose a workflow.');
  return text;
}

/** Returns the ID of the block with this prefix. The rest of the ID says for what the field was drawn. */
export function blockOf(beginning: string, { blockIds }: FilledForm): string {
  return blockIds.find((blockId) => blockId.startsWith(`${beginning}:`)) ?? beginning;
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
