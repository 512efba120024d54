import type { Problem } from '../problem.ts';
import { collapsible, oneTable, twoCharts } from './blocks.ts';
import { pointPerCategory, uniqueSeries } from './charts.ts';
import { boundsInOrder, initialAmongOptions, oneFocus, responseUrlsInModals } from './elements.ts';
import { uniqueActionIds, uniqueBlockIds } from './ids.ts';
import type { Payload, Rule } from './rule.ts';
import { cellTextTogether, evenRows, plainHeaders, rowHeaderColumns } from './tables.ts';

const RULES: readonly Rule[] = [
  uniqueBlockIds,
  uniqueActionIds,
  initialAmongOptions,
  boundsInOrder,
  responseUrlsInModals,
  oneFocus,
  oneTable,
  twoCharts,
  collapsible,
  evenRows,
  plainHeaders,
  rowHeaderColumns,
  cellTextTogether,
  uniqueSeries,
  pointPerCategory,
];

/** Returns the problems in blocks that each pass the schema: in their combination, and between their fields. */
export function breaches(payload: Payload): readonly Problem[] {
  return RULES.flatMap((rule) => rule(payload));
}
