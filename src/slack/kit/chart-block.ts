import type { Block } from '@slack/types';
import { CHART_LABEL, CHART_TITLE, MOST_POINTS, MOST_SERIES } from './limits.ts';
import { plain } from './text.ts';

/** Slack's "Data visualization block"; `@slack/types` lacks it. */
export interface DataVisualizationBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'bar' | 'area' | 'line';
    series: readonly { name: string; data: readonly { label: string; value: number }[] }[];
    axis_config: { categories: readonly string[]; x_label: string; y_label: string };
  };
}

export interface ChartContent {
  title: string;
  categories: readonly string[];
  series: readonly { name: string; values: readonly number[] }[];
  xLabel: string;
  yLabel: string;
}

/** Slack would put several series' bars side by side. */
export function chartBlock({ title, categories, series, xLabel, yLabel }: ChartContent): DataVisualizationBlock {
  const labels = unique(categories.slice(0, MOST_POINTS));
  const names = unique(series.slice(0, MOST_SERIES).map(({ name }) => name));
  const titled = (text: string) => plain(text, CHART_TITLE).text;
  return {
    type: 'data_visualization',
    title: titled(title),
    chart: {
      type: names.length === 1 ? 'bar' : 'area',
      series: names.map((name, index) => ({
        name,
        data: labels.map((label, point) => ({ label, value: series[index]?.values[point] ?? 0 })),
      })),
      axis_config: { categories: labels, x_label: titled(xLabel), y_label: titled(yLabel) },
    },
  };
}

/** Numbers equal labels: '550 mailbox unavai… 2'. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let label = plain(name, CHART_LABEL).text;
    for (let count = 2; taken.has(label); count++) label = `${plain(name, CHART_LABEL - 3).text} ${count}`;
    taken.add(label);
  }
  return [...taken];
}
