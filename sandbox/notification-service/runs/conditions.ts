import type { Json, StepFilter } from '../entities.ts';

/** What conditions can test. */
export interface Facts {
  readonly payload: Json;
  readonly subscriber: Json;
}

type Part = StepFilter['children'][number];

/**
 * Returns whether a step's conditions let it run (contract, "StepFilter and FieldFilterPart"). Unlike in the real service, a condition
 * about a missing value also lets it run, so that a test trigger without a payload gets through.
 */
export function allow(filters: readonly StepFilter[], facts: Facts): boolean {
  return filters.every(({ isNegated, value, children }) => {
    const known = children.filter((part) => givenFor(part, facts) !== undefined);
    if (known.length === 0) return true;
    const holds = (part: Part) => isTrue(part, facts);
    return (value === 'AND' ? known.every(holds) : known.some(holds)) !== isNegated;
  });
}

function givenFor({ on, field }: Part, facts: Facts): unknown {
  return facts[on][field] ?? undefined;
}

/** An unknown operator counts as true. */
function isTrue(part: Part, facts: Facts): boolean {
  return operators[part.operator]?.(String(givenFor(part, facts)), part.value) ?? true;
}

const listOf = (text: string) => text.split(',').map((item) => item.trim());

/** Compares the given value with the condition's. Several values are separated by commas. */
const operators: Readonly<Record<string, (given: string, said: string) => boolean>> = {
  EQUAL: (given, said) => given === said,
  NOT_EQUAL: (given, said) => given !== said,
  LARGER: (given, said) => Number(given) > Number(said),
  LARGER_EQUAL: (given, said) => Number(given) >= Number(said),
  SMALLER: (given, said) => Number(given) < Number(said),
  SMALLER_EQUAL: (given, said) => Number(given) <= Number(said),
  BETWEEN: isBetween,
  NOT_BETWEEN: (given, said) => !isBetween(given, said),
  LIKE: (given, said) => given.includes(said),
  NOT_LIKE: (given, said) => !given.includes(said),
  IN: (given, said) => listOf(said).includes(given),
  NOT_IN: (given, said) => !listOf(said).includes(given),
  ANY_IN: (given, said) => listOf(given).some((item) => listOf(said).includes(item)),
  ALL_IN: (given, said) => listOf(given).every((item) => listOf(said).includes(item)),
};

function isBetween(given: string, said: string): boolean {
  const [low = Number.NaN, high = Number.NaN] = listOf(said).map(Number);
  return Number(given) >= low && Number(given) <= high;
}
