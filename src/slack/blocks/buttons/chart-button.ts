import type { Button } from '@slack/types';
import { button } from '../blocks.ts';
import { BUTTON_TEXT } from '../limits.ts';
import { plain } from '../text.ts';
import { type FailureRequest, writeRequest } from './failure-request.ts';

/** Its value names the incident. */
export const INCIDENT_CHART = 'failures.chart-incident';

export const CHART = 'failures.chart';

/** `what` distinguishes it from similar buttons for screen readers. */
export function incidentChartButton(what: string, value: string): Button {
  const chart = button('Chart', INCIDENT_CHART, value);
  return { ...chart, accessibility_label: plain(`Chart of ${what}`, BUTTON_TEXT).text };
}

export function failuresChartButton(request: Omit<FailureRequest, 'offset'>): Button {
  return button('Chart', CHART, writeRequest({ ...request, offset: 0 }));
}
