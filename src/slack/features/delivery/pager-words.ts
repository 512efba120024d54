import type { ExplainCause } from '../../../causes/explain-cause.ts';
import type { IncidentWords } from '../../../digests/alertmanager.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { titleText } from '../../incident-view/incident-words.ts';
import { shownText } from '../../kit/data-table.ts';
import { textForEveryone } from '../../kit/for-everyone.ts';
import { mrkdwn } from '../../kit/text.ts';
import { nextLine } from '../../kit/words/cause-words.ts';

/** An incident in plain text, for a pager. */
export function pagerWords(incident: IncidentNow, explain: ExplainCause): IncidentWords {
  const next = nextLine(explain(incident)) || mrkdwn`Open the incident in Slack.`;
  return {
    summary: textForEveryone(titleText(incident)),
    nextStep: textForEveryone(shownText(next)).replace(/^→ /, ''),
  };
}
