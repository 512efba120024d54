import type { Block } from '@slack/types';
import { CHART_LABEL, CHART_TITLE, MOST_POINTS, MOST_SERIES } from './limits.ts';
import { plain } from './text.ts';

/** Slack's "Data visualization block", which `@slack/types` doesn't have. */
export interface DataVisualizationBlock extends Block {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: {
    readonly type: 'bar' | 'area' | 'line';
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: {
      readonly categories: readonly string[];
      readonly x_label: string;
      readonly y_label: string;
    };
  };
}

export interface ChartContent {
  readonly title: string;
  /** At most `MOST_POINTS`. */
  readonly categories: readonly string[];
  /** At most `MOST_SERIES`, with a value for each category. Their names can come from outside. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly xLabel: string;
  readonly yLabel: string;
}

/** Areas for several series, because Slack would put bars side by side. A message can have two charts. */
export function chartBlock({ title, categories, series, xLabel, yLabel }: ChartContent): DataVisualizationBlock {
  const labels = unique(categories.slice(0, MOST_POINTS));
  const shown = series.slice(0, MOST_SERIES);
  const names = unique(shown.map(({ name }) => name));
  return {
    type: 'data_visualization',
    title: plain(title, CHART_TITLE).text,
    chart: {
      type: shown.length === 1 ? 'bar' : 'area',
      series: shown.map(({ values }, index) => ({
        name: names[index] ?? '',
        data: labels.map((label, point) => ({ label, value: values[point] ?? 0 })),
      })),
      axis_config: {
        categories: labels,
        x_label: plain(xLabel, CHART_TITLE).text,
        y_label: plain(yLabel, CHART_TITLE).text,
      },
    },
  };
}

/** Numbers labels that would be equal once cut: '550 mailbox unavaila…', '550 mailbox unavai… 2'. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let label = plain(name, CHART_LABEL).text;
    for (let count = 2; taken.has(label); count++) label = `${plain(name, CHART_LABEL - 3).text} ${count}`;
    taken.add(label);
  }
  return [...taken];
}
