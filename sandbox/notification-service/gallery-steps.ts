import type { ActivityStep, Json, StepFilter } from './entities.ts';

const units = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
const weekDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const ordinals = ['1', '2', '3', '4', '5', 'last'] as const;
const ordinalValues = ['day', 'weekday', 'weekend', ...weekDays] as const;

const everyTime = ordinalValues.map((ordinalValue, nth) => ({
  ...{ atTime: '09:00', weekDays: [...weekDays], monthDays: [1, 15], ordinalValue },
  ...{ ordinal: ordinals[nth % ordinals.length], monthlyType: nth % 2 === 0 ? 'each' : 'on' },
}));

/** A digest of each unit, and a timed one of each day. A job also says by which rule and until when it waits. */
export const everyDigest: readonly Json[] = [
  ...units.map((unit) => ({ type: 'regular', amount: 2, unit, digestKey: 'headline', updateMode: true })),
  ...units.map((unit) => ({ type: 'backoff', amount: 2, unit, backoff: true, backoffAmount: 1, backoffUnit: unit })),
  ...everyTime.map((timed, nth) => ({
    ...{ type: 'timed', digestKey: 'headline', amount: 1, unit: units[nth % units.length] },
    timed: { ...timed, cronExpression: '0 9 1 * *', untilDate: '2026-12-01T09:00:00.000Z' },
  })),
];

const filterTypes = ['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP'] as const;
// biome-ignore format: two rows of names read better than fourteen lines
const operators = [
  'LARGER', 'SMALLER', 'LARGER_EQUAL', 'SMALLER_EQUAL', 'EQUAL', 'NOT_EQUAL', 'ALL_IN', 'ANY_IN', 'NOT_IN', 'BETWEEN', 'NOT_BETWEEN', 'LIKE', 'NOT_LIKE', 'IN',
] as const;

/** A condition of each type; together they have every operator. */
export const everyFilter: StepFilter[] = filterTypes.map((type, nth) => ({
  ...{ isNegated: nth % 2 === 1, type, value: nth % 2 === 1 ? 'OR' : 'AND' },
  children: operators
    .filter((_, place) => place % filterTypes.length === nth)
    .map((operator) => ({ field: 'plan', value: 'gold', operator, on: nth % 2 === 1 ? 'subscriber' : 'payload' })),
}));

/** Every form of a step's wait, as in a workflow. */
const everyMetadata: readonly Json[] = [
  ...everyDigest.map(inWorkflow),
  { type: 'regular', amount: 1, unit: 'days' },
  { type: 'scheduled', delayPath: 'startsAt' },
];

const variants = everyMetadata.map((metadata, nth): ActivityStep => {
  const _id = `65f0000000000000000001${String(nth).padStart(2, '0')}`;
  return {
    ...{ _id, _templateId: _id, name: `variant ${nth + 1}`, active: true, filters: everyFilter, metadata },
    ...{ replyCallback: { active: false, url: 'https://shop.sandbox.example/reply' }, template: { name: 'French' } },
    _parentId: '65f0000000000000000000a3',
  };
});

/** Steps as activity and workflow have them: one with every field, and one for each form of digest and delay. */
export const everyStep: readonly { type: 'email' | 'digest' | 'delay'; activity: Partial<ActivityStep> }[] = [
  {
    type: 'email',
    activity: {
      ...{ filters: everyFilter, replyCallback: { active: true, url: 'https://shop.sandbox.example/reply' } },
      ...{ controlVariables: { subject: 'Hello' }, issues: { controls: {} }, template: { name: 'Recovery' } },
      ...{ variants, _parentId: '65f0000000000000000000a3' },
    },
  },
  ...everyMetadata.map((metadata) => ({
    type: 'delayPath' in metadata ? ('delay' as const) : ('digest' as const),
    activity: { metadata },
  })),
];

/** Returns a digest as in a workflow: days of the month as text, and without what only a running job knows (contract, "TimedConfig"). */
function inWorkflow({ timed, ...digest }: Json): Json {
  if (typeof timed !== 'object' || timed === null) return digest;
  const { cronExpression, untilDate, ...config } = { cronExpression: '', untilDate: '', ...timed };
  return { ...digest, timed: { ...config, monthDays: ['1', '15'] } };
}
