import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import { section } from '../blocks/blocks.ts';
import { groupCause } from '../blocks/incident/group-words.ts';
import { parseActionTarget, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentHeading } from '../blocks/incident/incident-words.ts';
import { joined, type Markup } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';

/** What a form opened from a row's menu keeps while it's open. */
export interface IncidentForm {
  readonly target: ActionTarget;
  /** Where to answer. Null if unknown. */
  readonly answerUrl: string | null;
  /** Whose acknowledgment the form is about; null: none. */
  readonly acknowledgedBy: string | null;
}

/** The content of such a form. */
interface Asking {
  readonly callbackId: string;
  readonly title: string;
  readonly submit: string;
  /** Shown below the incident's title and cause. */
  readonly lines?: readonly Markup[];
  readonly blocks: readonly KnownBlock[];
}

/** Builds a form about an incident, with the incident at its top. */
export function incidentFormView(
  { episode }: Pick<TargetNow, 'episode'>,
  { target, ...form }: IncidentForm,
  { callbackId, title, submit, lines = [], blocks }: Asking,
): ModalView {
  return formView({
    ...{ callbackId, title, submit },
    privateMetadata: JSON.stringify({ target: writeActionTarget(target), ...form }),
    blocks: [section(joined([incidentHeading(episode), groupCause(episode.tally), ...lines], '\n')), ...blocks],
  });
}

const Metadata = z.object({
  target: z.string(),
  answerUrl: z.string().nullable(),
  acknowledgedBy: z.string().nullable(),
});

/** Parses what the form kept. Null unless it's of this version. */
export function parseIncidentForm(privateMetadata: string): IncidentForm | null {
  const { target, ...form } = Metadata.parse(JSON.parse(privateMetadata));
  const read = parseActionTarget(target);
  return read === null ? null : { target: read, ...form };
}
