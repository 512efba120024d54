import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Behavior, type BehaviorChange } from './behavior.ts';
import { Faults } from './faults.ts';
import { RequestLog } from './gate.ts';
import { beginLife } from './life.ts';
import { createResponder } from './responder.ts';
import { type Accidents, World } from './world.ts';

/** Longer than a client keeps an unused connection, so that none is closed under its next request (Node's default: 5 s). */
const KEPT_ALIVE_MS = 60_000;

export interface LocalServiceOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  apiKey?: string;
  /** The same seed and clock give the same world. */
  seed?: number;
  now?: () => number;
  /** Whether events arrive by themselves and providers have outages. */
  alive?: boolean;
  /** Whether the providers of a living service have outages by themselves (the default). */
  ownOutages?: boolean;
  /** How long the service has already been alive, and the largest number of outages in that time; by default one every 12 minutes. */
  history?: { hours: number; outages?: number };
  accidents?: Partial<Accidents>;
  /** Whether requests beyond the limits are refused with 429; off by default. */
  rateLimits?: boolean;
  /**
   * Whether single answers are wrapped into `{"data": …}`, as in the public implementation (the default); false answers as the contract
   * shows.
   */
  envelopes?: boolean;
}

export interface LocalService {
  /** The base URL, without a trailing slash. */
  url: string;
  apiKey: string;
  world: World;
  faults: Faults;
  requests: RequestLog;
  /** Advances the service's clock and runs everything due by then. `advance()` only runs what is due. */
  advance(ms?: number): void;
  /** Sets switches of behavior while the service runs. Omitted ones stay unchanged. */
  behave(change: BehaviorChange): void;
  /** Stops listening, like a service that is down. Its world continues. */
  goAway(): Promise<void>;
  /** Listens again at the same address. Rejects with the system's error (`EADDRINUSE`, …) if it can't. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 250;

/** Starts a Notification Service on 127.0.0.1. Rejects with the system's error (`EADDRINUSE`, …) if it can't listen. */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const { port = 0, apiKey = 'sandbox-key', seed = 1, now = Date.now, alive = false, history } = options;
  const { ownOutages = true } = options;
  let ahead = 0;
  const clock = () => now() + ahead;
  const world = new World({ seed, now: clock });
  const behave = (change: BehaviorChange) => {
    world.behavior = Behavior.parse({ ...world.behavior, ...change });
  };
  const faults = new Faults();
  const requests = new RequestLog();
  const catchUp = () => world.agenda.runUntil(clock());
  if (history || alive) {
    const present = clock();
    const since = present - (history?.hours ?? 0) * 3_600_000;
    const goesOn = { goesOn: alive, outagesGoOn: alive && ownOutages };
    beginLife(world, { since, present, ...goesOn, earlierOutages: history?.outages, accidents: options.accidents });
  }
  catchUp();

  const respond = createResponder({ ...options, apiKey, world, faults, requests, catchUp });
  const server = createServer(
    { keepAliveTimeout: KEPT_ALIVE_MS },
    (request, response) => void respond(request, response),
  );
  await listen(server, port);
  const ownPort = portOf(server);
  const ticking = alive ? setInterval(catchUp, TICK_MS) : undefined;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    apiKey,
    world,
    faults,
    requests,
    advance: (ms = 0) => {
      ahead += ms;
      catchUp();
    },
    behave,
    goAway: () => close(server),
    comeBack: async () => {
      if (!server.listening) await listen(server, ownPort);
    },
    close: () => {
      clearInterval(ticking);
      return close(server);
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The local service is not listening on a port');
  return address.port;
}

/** Drops open connections, because a hanging request would block the close forever. Does nothing if the server isn't listening. */
function close(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
