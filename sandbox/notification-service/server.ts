import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Behavior, type BehaviorChange } from './behavior.ts';
import { Faults } from './faults.ts';
import { plantGallery } from './gallery.ts';
import { beginLife } from './life.ts';
import type { Plan } from './limits.ts';
import { RequestLog } from './request-log.ts';
import { createResponder } from './responder.ts';
import { type Accidents, World } from './world.ts';

export interface LocalServiceOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  apiKey?: string;
  /** The same seed and the same clock make the same world. */
  seed?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
  /** Events arrive by themselves, providers have their bad minutes. */
  alive?: boolean;
  /** A living service's providers have outages by themselves (the default); false leaves them to somebody else. */
  ownOutages?: boolean;
  /** The service has already been alive for this long, with so many outages at most: one every 12 minutes, unless it says so. */
  history?: { hours: number; outages?: number };
  /** How likely a living service's everyday accidents are, where it isn't as everywhere. */
  accidents?: Partial<Accidents>;
  /** Refuses with 429 what is more than the plan allows; off by default. */
  rateLimits?: boolean;
  /** The smallest, `free`, is the default. */
  plan?: Plan;
  /** Wraps single answers into `{"data": …}`, as the public implementation does (the default); false answers as the contract shows. */
  envelopes?: boolean;
  /** Honours idempotency keys on writes (the default). */
  idempotency?: boolean;
  /** Switches of its behavior, over the contract's. */
  behavior?: BehaviorChange;
}

export interface LocalService {
  /** The base address, without a slash at its end. */
  url: string;
  apiKey: string;
  world: World;
  faults: Faults;
  requests: RequestLog;
  /** Moves the service's clock forward and lets all that was due by then happen; `advance()` only lets it happen. */
  advance(ms?: number): void;
  /** Sets switches of its behavior while it runs; those left out stay. */
  behave(change: BehaviorChange): void;
  /** Stops listening, as a service that is down does; its world lives on. */
  goAway(): Promise<void>;
  /** Listens again where it did. Rejects with the system's error (`EADDRINUSE`, …) when it cannot. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 250;

/** Starts a Notification Service on 127.0.0.1. Rejects with the system's error (`EADDRINUSE`, …) when it cannot listen. */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const { port = 0, apiKey = 'sandbox-key', seed = 1, now = Date.now, alive = false, history } = options;
  const { ownOutages = true } = options;
  let ahead = 0;
  const clock = () => now() + ahead;
  const world = new World({ seed, now: clock });
  const behave = (change: BehaviorChange) => {
    world.behavior = Behavior.parse({ ...world.behavior, ...change });
  };
  behave(options.behavior ?? {});
  const faults = new Faults();
  const requests = new RequestLog();
  const catchUp = () => world.agenda.runUntil(clock());
  if (history || alive) {
    const present = clock();
    const since = present - (history?.hours ?? 0) * 3_600_000;
    plantGallery(world, since);
    const goesOn = { goesOn: alive, outagesGoOn: alive && ownOutages };
    beginLife(world, { since, present, ...goesOn, earlierOutages: history?.outages, accidents: options.accidents });
  }
  catchUp();

  const respond = createResponder({ ...options, apiKey, world, faults, requests, catchUp });
  const server = createServer((request, response) => void respond(request, response));
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

/** Drops the connections that are still open: a hanging request would hold the close for ever. Nothing to do when it does not listen. */
function close(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
