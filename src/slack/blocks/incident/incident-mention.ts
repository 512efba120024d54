import type { SectionBlock } from '@slack/types';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { section } from '../blocks.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { incidentMenu, writeActionTarget } from './incident-menu.ts';
import { stateWords, titleWords } from './incident-words.ts';

export function incidentMention(incident: IncidentNow, lead: Markup): SectionBlock {
  const words = joined([titleWords(incident), ...stateWords(incident)], ' · ');
  const text = mrkdwn`${lead} #${String(incident.id)}: ${words}`;
  const target = { messageId: null, incidentId: incident.id };
  return { ...section(text), block_id: writeActionTarget(target), accessory: incidentMenu(incident) };
}
