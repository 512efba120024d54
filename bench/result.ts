import { z } from 'zod';

const Figure = z.object({
  label: z.string(),
  /** NaN, which misses any limit, if it couldn't be measured. */
  value: z.number().or(z.nan()),
  unit: z.string(),
  /** A value above it is a broken promise. */
  limit: z.number().exactOptional(),
  /** The two measurements of which `value` is the ratio, in words. */
  against: z.string().exactOptional(),
});
export type Figure = z.infer<typeof Figure>;

export const BenchResult = z.object({ name: z.string(), figures: z.array(Figure) });
export type BenchResult = z.infer<typeof BenchResult>;
