import type { FreeText } from '../text/free-text.ts';

/** A condition on which a step is sent (contract, "StepFilter"): comparisons, all or one of which have to hold. */
export interface Condition {
  readonly isNegated: boolean;
  readonly needs: 'all' | 'one';
  readonly comparisons: readonly Comparison[];
}

/** Contract, "FieldFilterPart". */
export interface Comparison {
  /** 'payload.plan', 'subscriber.locale' */
  readonly field: FreeText;
  /** EQUAL, NOT_EQUAL, IN, … */
  readonly operator: FreeText;
  readonly value: FreeText;
}
