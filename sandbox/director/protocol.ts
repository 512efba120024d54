import { z } from 'zod';

const play = z.object({
  seed: z.number(),
  speed: z.number(),
  /** Milliseconds of scenario time; negative before the beginning. */
  elapsedMs: z.number(),
  happening: z.array(z.string()),
});

const scenario = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  lookFor: z.string(),
  lastsMs: z.number(),
  play: play.nullable(),
});

/** What the director tells the page. */
export const stateSchema = z.object({ scenarios: z.array(scenario) });

export type ScenarioState = z.infer<typeof scenario>;
export type DirectorState = z.infer<typeof stateSchema>;

export const SPEEDS = [1, 4, 16] as const;

/** What the page asks of the director. */
export const orderSchema = z.object({
  do: z.enum(['start', 'stop']),
  scenario: z.string(),
  speed: z.literal(SPEEDS).optional(),
});
export type Order = z.infer<typeof orderSchema>;

export function minutesAndSeconds(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
