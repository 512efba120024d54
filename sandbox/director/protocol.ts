/** What the page and the command line get from the director; see routes.ts. */
export interface DirectorState {
  readonly scenarios: readonly ScenarioState[];
}

export interface ScenarioState {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly lookFor: string;
  /** Milliseconds of scenario time. */
  readonly lastsMs: number;
  /** Null while it isn't playing. */
  readonly play: {
    readonly seed: number;
    readonly speed: number;
    /** Milliseconds of scenario time; negative before the beginning. */
    readonly elapsedMs: number;
    /** Descriptions of what is happening. */
    readonly happening: readonly string[];
  } | null;
}

/** An order for a scenario. Starting a playing one restarts it. Omitted values stay unchanged. */
export type Direction =
  | { readonly do: 'start'; readonly seed?: number; readonly speed?: number }
  | { readonly do: 'stop' }
  | { readonly do: 'set-speed'; readonly speed: number };

/** The speeds of a scenario: of its steps, arrivals and bounces, but never of the clock. */
export const SPEEDS = [1, 4, 16] as const;

export const DEFAULT_SEED = 1;
