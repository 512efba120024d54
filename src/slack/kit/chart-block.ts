import type * as slack from '@slack/types';
import { plain } from './text.ts';

/** Slack's limits, in characters. */
const CHART_TITLE = 50;
const CHART_LABEL = 20;
/** A space and a number of three digits. */
const NUMBER_TEXT = 4;

export interface DataVisualizationBlock extends slack.Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'bar' | 'area';
    series: readonly { name: string; data: readonly { label: string; value: number }[] }[];
    axis_config: { categories: readonly string[]; x_label: string; y_label: string };
  };
}

interface ChartContent {
  title: string;
  categories: readonly string[];
  series: readonly { name: string; values: readonly number[] }[];
  xLabel: string;
  yLabel: string;
}

/** Several series are drawn as areas, since Slack puts bars side by side. */
export function chartBlock({ title, categories, series, xLabel, yLabel }: ChartContent): DataVisualizationBlock {
  const labels = distinctLabels(categories, CHART_LABEL);
  const names = distinctLabels(
    series.map(({ name }) => name),
    CHART_LABEL,
  );
  const titleOf = (text: string) => plain(text, CHART_TITLE).text;
  return {
    type: 'data_visualization',
    title: titleOf(title),
    chart: {
      type: names.length === 1 ? 'bar' : 'area',
      series: names.map((name, index) => ({
        name,
        data: labels.map((label, point) => ({ label, value: series[index]?.values[point] ?? 0 })),
      })),
      axis_config: { categories: labels, x_label: titleOf(xLabel), y_label: titleOf(yLabel) },
    },
  };
}

/** Labels of at most `longest` characters. Where two would be equal, the later has a number: '550 mailbox unava… 2'. */
export function distinctLabels(names: readonly string[], longest: number): string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let label = plain(name, longest).text;
    for (let count = 2; taken.has(label); count++) label = `${plain(name, longest - NUMBER_TEXT).text} ${count}`;
    taken.add(label);
  }
  return [...taken];
}
