import { identified } from './basic-blocks.ts';
import { byType, type Fields, list, maybeEmpty, number, object, ref, text, typed } from './shape.ts';

const label = text(20);

/** Six series, as Slack's page says; twelve have been seen accepted. */
const series = list(
  object({
    name: label,
    data: list(object({ label, value: number }), { minItems: 1, maxItems: 20 }),
  }),
  { minItems: 1, maxItems: 6 },
);
const axes = object(
  { categories: list(label, { minItems: 1, maxItems: 20 }) },
  { x_label: maybeEmpty(50), y_label: maybeEmpty(50) },
);
const segments = list(object({ label, value: { ...number, exclusiveMinimum: 0 } }), { minItems: 1, maxItems: 6 });

const cartesian = (type: string) => typed(type, { series: ref('chart_series'), axis_config: ref('chart_axes') });

export const charts: Fields = {
  chart_series: series,
  chart_axes: axes,
  line_chart: cartesian('line'),
  bar_chart: cartesian('bar'),
  area_chart: cartesian('area'),
  pie_chart: typed('pie', { segments }),
  data_visualization: typed(
    'data_visualization',
    {
      title: text(50),
      chart: byType({ line: 'line_chart', bar: 'bar_chart', area: 'area_chart', pie: 'pie_chart' }),
    },
    identified,
  ),
};
