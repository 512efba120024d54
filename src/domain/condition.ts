import type { FreeText } from './free-text.ts';

/** A condition on which a step is sent (contract, "StepFilter"): comparisons, all or one of which have to hold. */
export interface Condition {
  readonly isNegated: boolean;
  readonly needs: 'all' | 'one';
  readonly comparisons: readonly Comparison[];
}

/** Contract, "FieldFilterPart". Fields and operators are open lists. */
export interface Comparison {
  /** subscriber, payload */
  readonly on: string;
  readonly field: string;
  /** EQUAL, NOT_EQUAL, IN, … */
  readonly operator: string;
  readonly value: FreeText;
}
