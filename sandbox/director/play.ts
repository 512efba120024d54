import type { Random } from '../notification-service/random.ts';
import { type End, injectFault, type Stage } from './inject-fault.ts';
import type { FaultWindow, Scenario } from './scenario.ts';

interface PlayOptions {
  readonly scenario: Scenario;
  readonly random: Random;
  readonly speed: number;
  /** The time of its beginning, in milliseconds: now or later. */
  readonly beginsAt: number;
}

/** A playing scenario. Its own time runs `speed` times as fast as the clock and is 0 when it begins. */
export class Play {
  readonly #scenario: Scenario;
  /** The windows that haven't begun, the next one first. */
  #ahead: readonly FaultWindow[];
  readonly #underWay = new Map<FaultWindow, End>();
  #speed: number;
  /** A clock time with the scenario time at that moment. */
  #anchor: { readonly at: number; readonly elapsed: number };

  constructor({ scenario, random, speed, beginsAt }: PlayOptions) {
    this.#scenario = scenario;
    this.#ahead = scenario.plan(random).toSorted((a, b) => a.from - b.from);
    this.#speed = speed;
    this.#anchor = { at: beginsAt, elapsed: 0 };
  }

  get speed(): number {
    return this.#speed;
  }

  get happening(): readonly string[] {
    return [...this.#underWay.keys()].map(({ what }) => what);
  }

  /** Returns the scenario time in milliseconds; negative before the beginning. */
  elapsed(now: number): number {
    const { at, elapsed } = this.#anchor;
    // Speed doesn't apply to the wait before the beginning.
    const own = now < at ? 1 : this.#speed;
    return elapsed + (now - at) * own;
  }

  isOver(now: number): boolean {
    return this.elapsed(now) >= this.#scenario.lastsMs;
  }

  setSpeed(speed: number, now: number): void {
    if (now > this.#anchor.at) this.#anchor = { at: now, elapsed: this.elapsed(now) };
    this.#speed = speed;
  }

  /** Begins and ends what is due. Rejects if something couldn't be ended. */
  async catchUp(now: number, stage: Stage): Promise<void> {
    const elapsed = this.elapsed(now);
    const ending = [...this.#underWay.keys()].filter(({ to }) => to <= elapsed);
    const beginning = this.#ahead.filter(({ from }) => from <= elapsed);
    this.#ahead = this.#ahead.slice(beginning.length);
    await this.#end(ending);
    for (const faultWindow of beginning) await this.#begin(faultWindow, elapsed, stage);
  }

  /** Ends the active windows and begins no others. */
  async stop(): Promise<void> {
    this.#ahead = [];
    await this.#end([...this.#underWay.keys()]);
  }

  /** Begins a window. If the clock was late and the window is already over, it begins and ends at once. */
  async #begin(faultWindow: FaultWindow, elapsed: number, stage: Stage): Promise<void> {
    const end = injectFault(faultWindow.fault, stage);
    if (faultWindow.to <= elapsed) await end();
    else this.#underWay.set(faultWindow, end);
  }

  async #end(faultWindows: readonly FaultWindow[]): Promise<void> {
    for (const faultWindow of faultWindows) {
      const end = this.#underWay.get(faultWindow);
      this.#underWay.delete(faultWindow);
      await end?.();
    }
  }
}
