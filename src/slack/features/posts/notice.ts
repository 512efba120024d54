import type { IncidentNow } from '../../../incidents/incident.ts';
import type { Mention } from '../../../watches/settings.ts';
import { incidentTitle, subjectName } from '../../incident-view/incident-title.ts';
import { lineSections, type MessageBlock, section } from '../../kit/blocks.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { joined, type Line, mention } from '../../kit/text.ts';

/** A title for messages that stay as they are: it doesn't say how the incident is now. */
export const titleOf = (incident: IncidentNow): Line =>
  joined([numberOf(incident.id), incidentTitle(incident, subjectName(incident))]);

/** A message without a header, which couldn't show times in the reader's time zone. */
export function notice(
  lines: readonly Line[],
  whom: Mention | null = null,
  below: readonly MessageBlock[] = [],
): MessageContent {
  return message([whom && section(mention(whom)), ...lineSections(lines), ...below]);
}
