import type { Random } from '../notification-service/random.ts';
import { type End, injectFault, type Stage } from './inject-fault.ts';
import type { FaultWindow, Scenario } from './scenario.ts';

interface PlayOptions {
  readonly scenario: Scenario;
  readonly random: Random;
  readonly speed: number;
  /** When it begins, in milliseconds: now or later. */
  readonly beginsAt: number;
}

/** One performance of a scenario. Its own time runs `speed` times as fast as the clock, and stands at 0 when it begins. */
export class Play {
  readonly #scenario: Scenario;
  /** What has not begun yet, the next one first. */
  #ahead: readonly FaultWindow[];
  readonly #underWay = new Map<FaultWindow, End>();
  #speed: number;
  /** A moment of the clock, and how late it was in the scenario's own time. */
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

  /** What is going on, in words. */
  get happening(): readonly string[] {
    return [...this.#underWay.keys()].map(({ what }) => what);
  }

  /** How late it is in the scenario's own time, in milliseconds; negative before it begins. */
  elapsed(now: number): number {
    const { at, elapsed } = this.#anchor;
    // The time until it begins is not the scenario's own: no speed shortens it.
    const own = now < at ? 1 : this.#speed;
    return elapsed + (now - at) * own;
  }

  isOver(now: number): boolean {
    return this.elapsed(now) >= this.#scenario.lastsMs;
  }

  /** From now on its time runs this fast. */
  setSpeed(speed: number, now: number): void {
    if (now > this.#anchor.at) this.#anchor = { at: now, elapsed: this.elapsed(now) };
    this.#speed = speed;
  }

  /** Begins and ends what is due; resolves to whether anything was. Rejects when something could not be ended. */
  async catchUp(now: number, stage: Stage): Promise<boolean> {
    const elapsed = this.elapsed(now);
    const ending = [...this.#underWay.keys()].filter(({ to }) => to <= elapsed);
    const beginning = this.#ahead.filter(({ from }) => from <= elapsed);
    this.#ahead = this.#ahead.slice(beginning.length);
    await this.#end(ending);
    for (const faultWindow of beginning) await this.#begin(faultWindow, elapsed, stage);
    return ending.length + beginning.length > 0;
  }

  /** Ends what is under way, and begins nothing more. */
  async stop(): Promise<void> {
    this.#ahead = [];
    await this.#end([...this.#underWay.keys()]);
  }

  /** One that should be over already, as the clock came late, still happens: a moment is as short as that. */
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
