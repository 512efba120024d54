import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { createRandom } from '../service/random.ts';
import { hasJson, readFields, sendJson, urlOf } from '../slack/http/exchange.ts';
import type { Answer } from '../slack/http/routes.ts';
import type { LocalSlack } from '../slack/server.ts';
import { type DirectorState, orderSchema } from './protocol.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { End, FaultWindow, Stage } from './windows.ts';

interface StartOptions {
  /** The same seed gives the same scenario. By default each start has another one. */
  seed?: number;
  speed?: number | undefined;
  /** How long until it begins. */
  inMs?: number;
}

/** A scenario under way. Its own time is 0 at `beginsAt` and then runs `speed` times as fast as the clock. */
interface Play {
  seed: number;
  speed: number;
  beginsAt: number;
  /** The windows that haven't begun, the next first. */
  ahead: FaultWindow[];
  underWay: Map<FaultWindow, End>;
}

/** Returns milliseconds of the scenario's time. Until it begins they are negative, and as long as the clock's. */
const elapsed = ({ beginsAt, speed }: Play, now: number): number => (now - beginsAt) * (now < beginsAt ? 1 : speed);

/** Plays scenarios against the local production service and Slack. Things happen only in `catchUp`, which has to be called often. */
export class Director {
  readonly #scenarios: readonly Scenario[];
  readonly #stage: Stage;
  readonly #now: () => number;
  readonly #plays = new Map<Scenario, Play>();
  #turn: Promise<void> = Promise.resolve();
  #nextSeed = 2;

  constructor(scenarios: readonly Scenario[], stage: Stage, now: () => number) {
    this.#scenarios = scenarios;
    this.#stage = stage;
    this.#now = now;
  }

  start(name: string, { seed = this.#nextSeed++, speed = 1, inMs = 0 }: StartOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      const scenario = this.#find(name);
      await this.#stop(scenario.alone ? this.#scenarios : [scenario]);
      const ahead = scenario.plan(createRandom(seed)).toSorted((a, b) => a.from - b.from);
      this.#plays.set(scenario, { seed, speed, beginsAt: this.#now() + inMs, ahead, underWay: new Map() });
      await this.#advance();
    });
  }

  stop(name: string): Promise<void> {
    return this.#inTurn(() => this.#stop([this.#find(name)]));
  }

  catchUp(): Promise<void> {
    return this.#inTurn(() => this.#advance());
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#stop(this.#scenarios));
  }

  state(): DirectorState {
    const scenarios = this.#scenarios.map((scenario) => {
      const { name, title, description, lookFor, minutes } = scenario;
      const play = this.#plays.get(scenario);
      const state = play && {
        seed: play.seed,
        speed: play.speed,
        elapsedMs: Math.round(elapsed(play, this.#now())),
        happening: [...play.underWay.keys()].map(({ what }) => what),
      };
      return { name, title, description, lookFor, lastsMs: minutes * 60_000, play: state ?? null };
    });
    return { scenarios };
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
      // What ends at the moment at which another window begins has to end first: both may change the same.
      await endWindows(play, time);
      while ((play.ahead[0]?.from ?? Number.POSITIVE_INFINITY) <= time) {
        const next = play.ahead.shift();
        if (next !== undefined) play.underWay.set(next, next.begin(this.#stage));
      }
      // Momentary windows, and those that a late call finds over.
      await endWindows(play, time);
      if (time >= scenario.minutes * 60_000) this.#plays.delete(scenario);
    }
    this.#keepPace();
  }

  async #stop(scenarios: readonly Scenario[]): Promise<void> {
    for (const scenario of scenarios) {
      const play = this.#plays.get(scenario);
      this.#plays.delete(scenario);
      if (play !== undefined) await endWindows(play, Number.POSITIVE_INFINITY);
    }
    this.#keepPace();
  }

  /** Events arrive as fast as the fastest scenario that has begun. */
  #keepPace(): void {
    const begun = [...this.#plays.values()].filter((play) => elapsed(play, this.#now()) >= 0);
    this.#stage.service.world.pace = Math.max(1, ...begun.map(({ speed }) => speed));
  }

  #find(name: string): Scenario {
    const scenario = this.#scenarios.find((each) => each.name === name);
    if (scenario === undefined) throw new Error(`There is no scenario '${name}'.`);
    return scenario;
  }
}

async function endWindows({ underWay }: Play, time: number): Promise<void> {
  for (const [each, end] of underWay) {
    if (each.to > time) continue;
    underWay.delete(each);
    await end();
  }
}

export function directorRoutes(director: Director): Answer {
  return async (request, response) => {
    const { pathname } = urlOf(request);
    if (request.method === 'POST' && pathname === '/director/order') return answerOrder(request, response, director);
    if (request.method === 'GET' && pathname === '/director/state') return sendJson(response, 200, director.state());
    return sendJson(response, 404, { message: `There is no ${pathname}.` });
  };
}

/** Accepts only JSON, which a form on another site can't send unless the browser asks first. */
async function answerOrder(request: IncomingMessage, response: ServerResponse, director: Director): Promise<void> {
  if (!hasJson(request)) return sendJson(response, 415, { message: 'An order is JSON.' });
  const order = orderSchema.safeParse(await readFields(request));
  if (!order.success) return sendJson(response, 400, { message: z.prettifyError(order.error) });
  const { scenario, speed } = order.data;
  const names = director.state().scenarios.map(({ name }) => name);
  if (!names.includes(scenario))
    return sendJson(response, 400, { message: `There is no scenario ${scenario}, but ${names.join(', ')}.` });
  await (order.data.do === 'start' ? director.start(scenario, { speed }) : director.stop(scenario));
  sendJson(response, 200, director.state());
}

const TICK_MS = 100;

interface RunningDirector {
  start(name: string, options: StartOptions): Promise<void>;
  close(): Promise<void>;
}

/** Directs by the clock, and by orders from the page. */
export function runDirector(service: Stage['service'], slack: LocalSlack): RunningDirector {
  const director = new Director(SCENARIOS, { service, slack }, Date.now);
  slack.mount('/director/', directorRoutes(director));
  const complain = (error: unknown) =>
    console.error('A scenario could not end what it had begun. Stop the sandbox and start it again.', error);
  const ticking = setInterval(() => void director.catchUp().catch(complain), TICK_MS);
  return {
    start: (name: string, options: StartOptions) => director.start(name, options),
    close: () => {
      clearInterval(ticking);
      return director.close();
    },
  };
}
