import type { Button } from '@slack/types';
import type { TimeRange } from '../../../domain/time/time-range.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_TEXT } from '../limits.ts';
import { plain } from '../text.ts';

/** [Chart] of an incident: its value says of which, or the id of the block where that does. */
export const INCIDENT_CHART = 'failures.chart-incident';

/** [Chart] of a summary: all that failed in an environment in a span of time. */
export const SPAN_CHART = 'failures.chart-span';

/** `what`: what a screen reader tells it from its like by. */
export function incidentChartButton(what: string, value = writeValue([])): Button {
  const chart = button('Chart', INCIDENT_CHART, value);
  return { ...chart, accessibility_label: plain(`Chart of ${what}`, BUTTON_TEXT).text };
}

export interface ChartSpan {
  readonly environment: string;
  readonly range: TimeRange;
}

export function spanChartButton({ environment, range: { from, to } }: ChartSpan): Button {
  return button('Chart', SPAN_CHART, writeValue([environment, from.toISOString(), to.toISOString()]));
}

/** What `spanChartButton` wrote, or null. */
export function parseChartSpan(value: string): ChartSpan | null {
  const [environment, from = '', to = '', ...others] = parseValue(value) ?? [];
  const range = { from: new Date(from), to: new Date(to) };
  const isRange = range.from < range.to;
  return environment === undefined || !isRange || others.length > 0 ? null : { environment, range };
}
