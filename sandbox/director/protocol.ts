import { z } from 'zod';

const play = z.object({
  seed: z.number(),
  speed: z.number(),
  /** Milliseconds of scenario time; negative before the beginning. */
  elapsedMs: z.number(),
  happening: z.array(z.string()).readonly(),
});

const scenario = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  lookFor: z.string(),
  /** Milliseconds of scenario time. */
  lastsMs: z.number(),
  /** Null while it isn't playing. */
  play: play.readonly().nullable(),
});

/** What the page gets from the director; see routes.ts. */
export const stateSchema = z.object({ scenarios: z.array(scenario.readonly()).readonly() }).readonly();

export type ScenarioState = Readonly<z.infer<typeof scenario>>;
export type DirectorState = z.infer<typeof stateSchema>;

const directionSpeed = z.number().min(1).max(64);

/** An order for a scenario. Starting a playing one restarts it. Omitted values stay unchanged. */
export const directionSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('start'), seed: z.int().exactOptional(), speed: directionSpeed.exactOptional() }),
  z.object({ do: z.literal('stop') }),
  z.object({ do: z.literal('set-speed'), speed: directionSpeed }),
]);
export type Direction = Readonly<z.infer<typeof directionSchema>>;

/** The speeds of a scenario: of its steps, arrivals and bounces, but never of the clock. */
export const SPEEDS = [1, 4, 16] as const;

export const DEFAULT_SEED = 1;

/** Formats minutes and seconds: 3:05. */
export function clockTime(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
