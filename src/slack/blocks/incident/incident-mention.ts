import type { SectionBlock } from '@slack/types';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { section } from '../blocks.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { incidentMenu, writeActionTarget } from './incident-menu.ts';
import { incidentWords } from './incident-words.ts';
import { stateWords } from './state-words.ts';

export function incidentMention(now: IncidentNow, lead: Markup): SectionBlock {
  const words = joined([incidentWords(now), ...stateWords(now)], ' · ');
  const text = mrkdwn`${lead} #${String(now.episodeId)}: ${words}`;
  const target = { messageId: null, episodeId: now.episodeId };
  return { ...section(text), block_id: writeActionTarget(target), accessory: incidentMenu(now) };
}
