import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import { section } from '../blocks/blocks.ts';
import { groupCause } from '../blocks/incident/group-words.ts';
import { parseSubject, writeSubject } from '../blocks/incident/incident-menu.ts';
import { incidentHeading } from '../blocks/incident/incident-words.ts';
import { joined, type Markup } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';

/** What a form opened from a row's menu keeps while it's open. */
export interface GroupForm {
  readonly subject: ActionTarget;
  /** Where to answer. Null if unknown. */
  readonly answerUrl: string | null;
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
export function groupFormView(
  { episode }: Pick<TargetNow, 'episode'>,
  { subject, answerUrl }: GroupForm,
  { callbackId, title, submit, lines = [], blocks }: Asking,
): ModalView {
  return formView({
    ...{ callbackId, title, submit },
    privateMetadata: JSON.stringify({ subject: writeSubject(subject), answerUrl }),
    blocks: [section(joined([incidentHeading(episode), groupCause(episode.tally), ...lines], '\n')), ...blocks],
  });
}

const Metadata = z.object({ subject: z.string(), answerUrl: z.string().nullable() });

/** Parses what the form kept. Null unless it's of this version. */
export function parseGroupForm(privateMetadata: string): GroupForm | null {
  const { subject, answerUrl } = Metadata.parse(JSON.parse(privateMetadata));
  const read = parseSubject(subject);
  return read === null ? null : { subject: read, answerUrl };
}
