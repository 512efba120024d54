import { z } from 'zod';
import type { Condition } from '../../domain/service/condition.ts';
import { FreeText } from '../../domain/text/free-text.ts';

/** Contract, "StepFilter and FieldFilterPart". All fields are required, because half a condition would mean something else. */
export const WireCondition = z.object({
  isNegated: z.boolean(),
  value: z.string(),
  children: z.array(z.object({ on: z.string(), field: z.string(), operator: z.string(), value: z.string() })),
});

/** Converts a condition of a step. */
export function parseCondition({ isNegated, value, children }: z.infer<typeof WireCondition>): Condition {
  const comparisons = children.map((part) => ({
    field: new FreeText(`${part.on}.${part.field}`),
    operator: new FreeText(part.operator),
    value: new FreeText(part.value),
  }));
  return { isNegated, needs: value === 'OR' ? 'one' : 'all', comparisons };
}
