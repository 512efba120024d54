import { z } from 'zod';
import type { Condition } from '../../domain/condition.ts';
import { FreeText } from '../../domain/free-text.ts';

/** Contract, "StepFilter and FieldFilterPart". */
const WireCondition = z.object({
  isNegated: z.boolean(),
  value: z.string(),
  children: z.array(z.object({ on: z.string(), field: z.string(), operator: z.string(), value: z.string() })),
});

/** The conditions on which a step is sent. One of another shape is left out: it must not hide its event. */
export function conditionsOf(filters: unknown): readonly Condition[] {
  if (!Array.isArray(filters) || filters.length === 0) return [];
  return filters
    .map((filter) => WireCondition.safeParse(filter).data)
    .flatMap((wire) => (wire ? [conditionOf(wire)] : []));
}

function conditionOf({ isNegated, value, children }: z.infer<typeof WireCondition>): Condition {
  const comparisons = children.map((part) => ({
    field: new FreeText(`${part.on}.${part.field}`),
    operator: new FreeText(part.operator),
    value: new FreeText(part.value),
  }));
  return { isNegated, needs: value === 'OR' ? 'one' : 'all', comparisons };
}
