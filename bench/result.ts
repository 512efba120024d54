import { z } from 'zod';

const Figure = z.object({
  label: z.string(),
  /** NaN, which misses any limit, if it couldn't be measured. */
  value: z.number().or(z.nan()),
  unit: z.string(),
  limit: z.number().exactOptional(),
  against: z.string().exactOptional(),
});
export type Figure = z.infer<typeof Figure>;

/** A figure over its `limit` is a failed promise; `against` says what it was measured against. */
export const BenchResult = z.object({ name: z.string(), figures: z.array(Figure) });
export type BenchResult = z.infer<typeof BenchResult>;
