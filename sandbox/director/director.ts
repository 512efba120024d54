import { createRandom } from '../service/random.ts';
import { DEFAULT_SEED, type DirectorState, type ScenarioState } from './protocol.ts';
import type { End, FaultWindow, Scenario, Stage } from './scenarios.ts';

export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
}

interface StartOptions {
  /** Seeds the scenario's randomness: the same seed gives the same scenario. */
  readonly seed?: number | undefined;
  readonly speed?: number | undefined;
  /** Milliseconds of real time until the scenario begins; 0, the default, begins at once. */
  readonly inMs?: number;
}

/** A scenario under way. Its own time runs `speed` times as fast as the clock and is 0 when it begins. */
interface Play {
  readonly seed: number;
  readonly speed: number;
  /** A clock time with the scenario time at that moment. */
  readonly anchor: { readonly at: number; readonly elapsed: number };
  /** The windows that haven't begun, the next one first. */
  readonly ahead: FaultWindow[];
  readonly underWay: Map<FaultWindow, End>;
}

/** Returns the scenario time in milliseconds; negative before the beginning, when speed doesn't apply. */
function elapsed({ anchor, speed }: Play, now: number): number {
  return anchor.elapsed + (now - anchor.at) * (now < anchor.at ? 1 : speed);
}

/**
 * Plays scenarios against the local production service and the local Slack. Things happen only in `catchUp`, which has to be called often.
 */
export class Director {
  readonly #scenarios: readonly Scenario[];
  readonly #stage: Stage;
  readonly #now: () => number;
  readonly #plays = new Map<Scenario, Play>();
  /** Orders are carried out one after another. */
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: { readonly scenarios: readonly Scenario[]; readonly stage: Stage; readonly now: () => number }) {
    this.#scenarios = parts.scenarios;
    this.#stage = parts.stage;
    this.#now = parts.now;
  }

  /** Starts a scenario, or restarts one that is playing. Rejects with UnknownScenarioError, or if what was playing couldn't be ended. */
  start(name: string, { seed = DEFAULT_SEED, speed = 1, inMs = 0 }: StartOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      const scenario = this.#find(name);
      await this.#stop(scenario.alone ? this.#scenarios : [scenario]);
      const ahead = scenario.plan(createRandom(seed)).toSorted((a, b) => a.from - b.from);
      const anchor = { at: this.#now() + inMs, elapsed: 0 };
      this.#plays.set(scenario, { seed, speed, anchor, ahead, underWay: new Map() });
      await this.#advance();
    });
  }

  /** Ends a scenario and everything that it disturbs. Does nothing if it isn't playing. Rejects like `start`. */
  stop(name: string): Promise<void> {
    return this.#inTurn(() => this.#stop([this.#find(name)]));
  }

  /** Changes a scenario's speed from now. Does nothing if it isn't playing. Rejects with UnknownScenarioError. */
  setSpeed(name: string, speed: number): Promise<void> {
    return this.#inTurn(async () => {
      const scenario = this.#find(name);
      const play = this.#plays.get(scenario);
      const now = this.#now();
      if (play === undefined) return;
      const anchor = now > play.anchor.at ? { at: now, elapsed: elapsed(play, now) } : play.anchor;
      this.#plays.set(scenario, { ...play, speed, anchor });
      await this.#advance();
    });
  }

  /** Does everything that is due by now. Rejects if something couldn't be ended. */
  catchUp(): Promise<void> {
    return this.#inTurn(() => this.#advance());
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#stop(this.#scenarios));
  }

  state(): DirectorState {
    return { scenarios: this.#scenarios.map((scenario) => this.#stateOf(scenario)) };
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(act);
    // The caller gets the error; the next order must not be affected.
    this.#turn = done.catch(() => {});
    return done;
  }

  async #advance(): Promise<void> {
    for (const [scenario, play] of this.#plays) {
      const time = elapsed(play, this.#now());
      await endWindows(play, time);
      while ((play.ahead[0]?.from ?? Number.POSITIVE_INFINITY) <= time) this.#beginNext(play);
      // If the clock was late, a window may be over already.
      await endWindows(play, time);
      if (time >= scenario.minutes * 60_000) this.#plays.delete(scenario);
    }
    this.#keepPace();
  }

  #beginNext({ ahead, underWay }: Play): void {
    const next = ahead.shift();
    if (next !== undefined) underWay.set(next, next.begin(this.#stage));
  }

  async #stop(scenarios: readonly Scenario[]): Promise<void> {
    for (const scenario of scenarios) {
      const play = this.#plays.get(scenario);
      this.#plays.delete(scenario);
      if (play !== undefined) await endWindows(play, Number.POSITIVE_INFINITY);
    }
    this.#keepPace();
  }

  #keepPace(): void {
    const begun = [...this.#plays.values()].filter((play) => elapsed(play, this.#now()) >= 0);
    this.#stage.service.world.pace = Math.max(1, ...begun.map(({ speed }) => speed));
  }

  #find(name: string): Scenario {
    const found = this.#scenarios.find((scenario) => scenario.name === name);
    if (found !== undefined) return found;
    const names = this.#scenarios.map((scenario) => scenario.name).join(', ');
    throw new UnknownScenarioError(`There is no scenario '${name}'. There are: ${names}.`);
  }

  #stateOf(scenario: Scenario): ScenarioState {
    const { name, title, description, lookFor, minutes } = scenario;
    const play = this.#plays.get(scenario);
    const state = play && {
      seed: play.seed,
      speed: play.speed,
      elapsedMs: Math.round(elapsed(play, this.#now())),
      happening: [...play.underWay.keys()].map(({ what }) => what),
    };
    return { name, title, description, lookFor, lastsMs: minutes * 60_000, play: state ?? null };
  }
}

async function endWindows({ underWay }: Play, time: number): Promise<void> {
  for (const [each, end] of underWay) {
    if (each.to > time) continue;
    underWay.delete(each);
    await end();
  }
}
