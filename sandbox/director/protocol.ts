/** What the page and the command line get from the director: see routes.ts. */
export interface DirectorState {
  readonly scenarios: readonly ScenarioState[];
}

export interface ScenarioState {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly lookFor: string;
  /** Milliseconds of its own time. */
  readonly lastsMs: number;
  /** Null while it is not playing. */
  readonly play: {
    readonly seed: number;
    readonly speed: number;
    /** Milliseconds of its own time; negative while it waits to begin. */
    readonly elapsedMs: number;
    /** What is going on, in words. */
    readonly happening: readonly string[];
  } | null;
}

/** What can be asked of a scenario. Starting one that plays begins it again; what is left out stays as it was. */
export type Direction =
  | { readonly do: 'start'; readonly seed?: number; readonly speed?: number }
  | { readonly do: 'stop' }
  | { readonly do: 'set-speed'; readonly speed: number };

/** How fast a scenario can be played: the pace of its steps, of arrivals and bounces, never the clock. */
export const SPEEDS = [1, 4, 16] as const;

export const DEFAULT_SEED = 1;
