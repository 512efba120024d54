import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { InputError } from '../../../lib/errors.ts';
import { countsBy, groupBy } from '../../../lib/group-by.ts';
import { DAY_MS, formatUtc, HOUR_MS, parseDuration, SECOND_MS } from '../../../lib/time/durations.ts';
import { MOST_BROKEN } from '../../../sendings/resend.ts';
import { type BrokenEvent, MOST_SENT_AGAIN, ResendChoices } from '../../../sendings/resend-plan.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { context, section } from '../../kit/blocks.ts';
import { type FormErrors, readForm } from '../../kit/filled-form.ts';
import { FormIntent, KeptRef } from '../../kit/in-modal.ts';
import { type Choice, severalInput, textInput } from '../../kit/inputs.ts';
import type { FilledView } from '../../kit/interaction.ts';
import { peopleCount } from '../../kit/outcomes.ts';
import { grouped, type Markup, mrkdwn, plural, present } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { formView, keptIn } from '../../kit/views.ts';

export const TITLE = 'Send again';
export const CHOOSE = 'resend.choose';
const WORKFLOWS = 'resend.workflows';
const WHICH = 'resend.which';
const AGE = 'resend.age';
const LIMIT = 'resend.limit';
/** Single notifications. */
const PICKED = 'resend.picked';
/** Topics, contexts and tags. */
const LABELS = 'resend.common';

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

/** What was chosen is kept in the preview's metadata, so that only so many of each, and labels of so many characters, can be chosen. */
const MOST_WORKFLOWS = 15;
export const MOST_PICKED = 25;
const MOST_LABELS = 5;
const LONGEST_LABEL = 60;
/** Characters of metadata; Slack's limit is 3,000. */
const LONGEST_KEPT = 2_900;
const NEWEST = { value: 'newest', label: 'Only the newest of each subscriber and workflow' };
const TWICE = { value: 'twice', label: 'Also those that another channel delivered: it delivers them once more' };
const REPLACED = { value: 'replaced', label: 'Also those that a newer one replaced, which the same person got' };

export function choicesView(
  { environments, retentionDays }: Pick<SlackCtx, 'environments' | 'retentionDays'>,
  kept: Kept,
  { incident, events: broken }: Broken,
): ModalView {
  const { workflows, eventKeys, labels, maxAgeMs, limit } = kept.choices;
  const { isNewestOnly, sendsTwice, sendsReplaced } = kept.choices;
  const workflowChoices = workflowsOf(broken);
  const labelChoices = commonLabels(broken);
  const eventChoices = pickable(broken, eventKeys);
  return formView({
    callbackId: CHOOSE,
    title: TITLE,
    submit: 'Preview',
    kept,
    blocks: [
      section([incidentHeading(incident, environments), brokenWords({ incident, events: broken })]),
      workflowChoices.length > 1 &&
        menu(WORKFLOWS, { label: 'Workflows', hint: 'Leave it empty for all.' }, workflowChoices, workflows),
      severalInput(
        'checkboxes',
        { blockId: WHICH, label: 'Which notifications', isOptional: true },
        [NEWEST, TWICE, REPLACED],
        present([isNewestOnly && NEWEST.value, sendsTwice && TWICE.value, sendsReplaced && REPLACED.value]),
      ),
      labelChoices.length > 0 &&
        menu(LABELS, { label: 'Only with', hint: 'Topics, contexts and tags.' }, labelChoices, labels),
      eventChoices.length > 1 &&
        menu(
          PICKED,
          { label: 'Only these', hint: 'The newest hundred. Leave it empty for all.' },
          eventChoices,
          eventKeys,
        ),
      textInput({
        blockId: AGE,
        label: 'Failed in the last',
        hint: `For example 90m, 2h or 3d: at most ${retentionDays}d, as long as failures are stored.`,
        initial: ageText(maxAgeMs),
      }),
      textInput({
        blockId: LIMIT,
        label: 'At most',
        hint: `From 1 to ${grouped(MOST_SENT_AGAIN)}, newest first.`,
        initial: String(limit),
      }),
      context('Nothing is sent yet: you get a preview first.'),
    ],
  });
}

function brokenWords({ incident, events }: Broken): Markup {
  const people = new Set(events.flatMap(({ subscriberId }) => subscriberId ?? [])).size;
  const atLeast = events.length < MOST_BROKEN ? '' : 'At least ';
  const recipients = people === 0 ? '' : ` to ${peopleCount(people)}`;
  return mrkdwn`${atLeast}${plural(events.length, 'notification')}${recipients} failed since ${time(incident.firstAt)}.`;
}

function menu(
  blockId: string,
  words: { label: string; hint: string },
  choices: readonly Choice[],
  chosen: readonly string[],
): InputBlock {
  return severalInput('multi_static_select', { blockId, ...words, isOptional: true }, choices, chosen);
}

function workflowsOf(broken: readonly BrokenEvent[]): Choice[] {
  return [...countsBy(broken, ({ workflow }) => workflow)].flatMap(([value, events]) =>
    value === null ? [] : [{ value, label: `${value} (${events})` }],
  );
}

function pickable(broken: readonly BrokenEvent[], eventKeys: readonly string[]): Choice[] {
  return broken
    .filter(({ eventKey, sentAgain }) => sentAgain === null || eventKeys.includes(eventKey))
    .map(({ eventKey, subscriberId, workflow, failedAt }) => ({
      value: eventKey,
      label: [subscriberId ?? 'nobody', workflow ?? 'deleted workflow', formatUtc(failedAt)].join(' · '),
    }));
}

/** Labels that events of several people have, but not all events. */
function commonLabels(broken: readonly BrokenEvent[]): Choice[] {
  const labelled = broken.flatMap(({ labels, subscriberId }) =>
    [...new Set(labels)].map((label) => ({ label, subscriberId })),
  );
  return [...groupBy(labelled, ({ label }) => label)].flatMap(([value, events]) => {
    const people = new Set(events.flatMap(({ subscriberId }) => subscriberId ?? [])).size;
    const isCommon = people > 1 && events.length < broken.length && value.length <= LONGEST_LABEL;
    return isCommon ? [{ value, label: `${value} (${events.length})` }] : [];
  });
}

const ageText = (ms: number): string => (ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${ms / SECOND_MS}s`);

type ParsedChoices = { is: 'invalid'; errors: FormErrors } | { is: 'valid'; choices: ResendChoices };

export function parseChoices(view: FilledView, retentionDays: number): ParsedChoices {
  const { field, errors, hasErrors } = readForm(view);
  const isTicked = ({ value }: Choice) => view.valuesIn(WHICH).includes(value);
  const choices = {
    workflows: [...view.valuesIn(WORKFLOWS)],
    isNewestOnly: isTicked(NEWEST),
    sendsTwice: isTicked(TWICE),
    sendsReplaced: isTicked(REPLACED),
    eventKeys: [...view.valuesIn(PICKED)],
    labels: [...view.valuesIn(LABELS)],
    maxAgeMs: field(AGE, (typed) => parseAge(typed, retentionDays), 0),
    limit: field(LIMIT, parseLimit, 0),
  };
  const { workflows, eventKeys, labels } = choices;
  if (workflows.length > MOST_WORKFLOWS) errors[WORKFLOWS] = `Choose at most ${MOST_WORKFLOWS}, or none for all.`;
  if (eventKeys.length > MOST_PICKED) errors[PICKED] = `Choose at most ${MOST_PICKED}, or none for all.`;
  if (labels.length > MOST_LABELS) errors[LABELS] = `Choose at most ${MOST_LABELS}, or none for all.`;
  const isTooLong = JSON.stringify({ ...keptIn(Kept, view), choices }).length > LONGEST_KEPT;
  if (isTooLong && !hasErrors()) errors[eventKeys.length > 0 ? PICKED : WORKFLOWS] = 'Choose fewer, or none for all.';
  return hasErrors() ? { is: 'invalid', errors } : { is: 'valid', choices };
}

function parseAge(typed: string, retentionDays: number): number {
  const ms = parseDuration(typed.trim());
  if (ms !== null && ms > 0 && ms <= retentionDays * DAY_MS) return ms;
  throw new InputError('age', `Give a time such as 90m, 2h or 3d, of at most ${retentionDays}d.`);
}

function parseLimit(typed: string): number {
  const limit = Number(typed.trim().replaceAll(',', ''));
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_SENT_AGAIN) return limit;
  throw new InputError('limit', `Give a number from 1 to ${grouped(MOST_SENT_AGAIN)}.`);
}
