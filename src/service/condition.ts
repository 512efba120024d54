import type { FreeText } from '../lib/text/free-text.ts';

/** A condition for sending a step (contract, "StepFilter"): comparisons of which all or one must be true. */
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
