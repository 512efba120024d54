import type { IncidentWords } from '../../../alerts/pager.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { unescaped } from '../../../lib/input/slack-text.ts';
import type { IncidentCtx } from '../../incident-view/incident-row.ts';
import { titleText } from '../../incident-view/incident-title.ts';
import { nextLine } from '../../kit/explanation.ts';
import { textForEveryone } from '../../kit/for-everyone.ts';
import { shownText } from '../../kit/rich-text.ts';
import { type Markup, mrkdwn } from '../../kit/text.ts';

export function pagerWords(incident: IncidentNow, explain: IncidentCtx['explainCause']): IncidentWords {
  const next = mrkdwn`${nextLine(explain(incident), incident.attempts, incident.worst) || 'Open the incident in Slack.'}`;
  return {
    summary: pagerText(mrkdwn`${titleText(incident)}`),
    nextStep: pagerText(next).replace(/^→ /, ''),
  };
}

/** A receiver of Alertmanager may be Slack itself: nothing is left that it would take for markup. */
function pagerText(markup: Markup) {
  return textForEveryone(unescaped(shownText(markup)).replaceAll('<', '‹').replaceAll('>', '›'));
}
