import { z } from 'zod';
import type { DirectorState } from './protocol.ts';

const play = z.object({
  seed: z.number(),
  speed: z.number(),
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

/** Validates the state that the page and the command line get. */
export const stateSchema: z.ZodType<DirectorState> = z.object({ scenarios: z.array(scenario) });
