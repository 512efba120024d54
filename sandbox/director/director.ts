import { createRandom } from '../notification-service/random.ts';
import type { Stage } from './inject-fault.ts';
import { Play } from './play.ts';
import { DEFAULT_SEED, type DirectorState, type ScenarioState } from './protocol.ts';
import type { Scenario } from './scenario.ts';

export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
}

interface DirectorOptions {
  readonly scenarios: readonly Scenario[];
  readonly stage: Stage;
  readonly now: () => number;
}

interface StartOptions {
  /** Seeds the scenario's randomness: the same seed gives the same scenario. */
  readonly seed?: number | undefined;
  readonly speed?: number | undefined;
  /** Milliseconds of real time until the scenario begins; 0, the default, begins at once. */
  readonly inMs?: number;
}

interface Running {
  readonly play: Play;
  readonly seed: number;
}

/**
 * Plays scenarios against the local production service and the local Slack. Things happen only in `catchUp`, which has to be called often.
 */
export class Director {
  readonly #scenarios: readonly Scenario[];
  readonly #stage: Stage;
  readonly #now: () => number;
  readonly #running = new Map<Scenario, Running>();
  /** Orders are carried out one after another. */
  #turn: Promise<void> = Promise.resolve();

  constructor({ scenarios, stage, now }: DirectorOptions) {
    this.#scenarios = scenarios;
    this.#stage = stage;
    this.#now = now;
  }

  /** Starts a scenario, or restarts one that is playing. Rejects with UnknownScenarioError, or if what was playing couldn't be ended. */
  start(name: string, { seed = DEFAULT_SEED, speed = 1, inMs = 0 }: StartOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      const scenario = this.#find(name);
      await this.#stop(scenario.alone ? this.#scenarios : [scenario]);
      const random = createRandom(seed);
      const play = new Play({ scenario, random, speed, beginsAt: this.#now() + inMs });
      this.#running.set(scenario, { play, seed });
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
      this.#running.get(this.#find(name))?.play.setSpeed(speed, this.#now());
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
    for (const [scenario, { play }] of this.#running) {
      await play.catchUp(this.#now(), this.#stage);
      if (play.isOver(this.#now())) this.#running.delete(scenario);
    }
    this.#keepPace();
  }

  async #stop(scenarios: readonly Scenario[]): Promise<void> {
    for (const scenario of scenarios) {
      const running = this.#running.get(scenario);
      this.#running.delete(scenario);
      await running?.play.stop();
    }
    this.#keepPace();
  }

  #keepPace(): void {
    const begun = [...this.#running.values()].filter(({ play }) => play.elapsed(this.#now()) >= 0);
    const speeds = begun.map(({ play }) => play.speed);
    this.#stage.service.world.pace = Math.max(1, ...speeds);
  }

  #find(name: string): Scenario {
    const found = this.#scenarios.find((scenario) => scenario.name === name);
    if (found !== undefined) return found;
    const names = this.#scenarios.map((scenario) => scenario.name).join(', ');
    throw new UnknownScenarioError(`There is no scenario '${name}'. There are: ${names}.`);
  }

  #stateOf(scenario: Scenario): ScenarioState {
    const { name, title, description, lookFor, lastsMs } = scenario;
    const running = this.#running.get(scenario);
    const play = running && {
      seed: running.seed,
      speed: running.play.speed,
      elapsedMs: Math.round(running.play.elapsed(this.#now())),
      happening: running.play.happening,
    };
    return { name, title, description, lookFor, lastsMs, play: play ?? null };
  }
}
