import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { InputError } from '../../../lib/errors.ts';
import { DAY_MS, HOUR_MS, parseDuration, SECOND_MS } from '../../../lib/time/durations.ts';
import { type BrokenEvent, countsBy, ResendChoices } from '../../../triggers/resend-plan.ts';
import { MOST_BROKEN } from '../../../triggers/sending.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { context, section } from '../../kit/blocks.ts';
import { FormIntent, KeptRef } from '../../kit/in-modal.ts';
import { type Choice, type FormErrors, readForm, severalInput, textInput } from '../../kit/inputs.ts';
import type { FilledView } from '../../kit/interaction.ts';
import { formView } from '../../kit/message.ts';
import { peopleCount } from '../../kit/outcomes.ts';
import { grouped, mrkdwn, plural, present, time } from '../../kit/text.ts';

export const TITLE = 'Send again';
export const CHOOSE = 'resend.choose';
const WORKFLOWS = 'resend.workflows';
const WHICH = 'resend.which';
const AGE = 'resend.age';
const LIMIT = 'resend.limit';

export const Kept = FormIntent.extend({
  ...KeptRef.shape,
  environment: z.string(),
  choices: ResendChoices,
  /** The preview counted failures up to this one. */
  upTo: z.number().nullable(),
});
export type Kept = z.output<typeof Kept>;

/** An incident and the events that it broke. */
export interface Broken {
  incident: IncidentNow;
  events: readonly BrokenEvent[];
}

const MOST_SENT = 1_000;
/** The preview's metadata, of 3,000 characters, holds the chosen workflows. */
const MOST_CHOSEN = 15;
export const USUAL_CHOICES = {
  workflows: [],
  isNewestOnly: false,
  sendsTwice: false,
  maxAgeMs: DAY_MS,
  limit: MOST_SENT,
};
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

type ParsedChoices = { is: 'invalid'; errors: FormErrors } | { is: 'valid'; choices: ResendChoices };

export function parseChoices(view: FilledView, retentionDays: number): ParsedChoices {
  const { field, errors, hasErrors } = readForm(view);
  const maxAgeMs = field(AGE, (typed) => parseAge(typed, retentionDays), 0);
  const limit = field(LIMIT, parseLimit, 0);
  const workflows = [...view.valuesIn(WORKFLOWS)];
  if (workflows.length > MOST_CHOSEN) errors[WORKFLOWS] = `Choose at most ${MOST_CHOSEN}, or none for all.`;
  if (hasErrors()) return { is: 'invalid', errors };
  const isTicked = ({ value }: Choice) => view.valuesIn(WHICH).includes(value);
  const ticked = { isNewestOnly: isTicked(NEWEST), sendsTwice: isTicked(TWICE) };
  return { is: 'valid', choices: { workflows, ...ticked, maxAgeMs, limit } };
}

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
