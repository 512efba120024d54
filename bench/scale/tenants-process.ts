import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { nextMessage, startChild } from '../child.ts';
import type { Poll } from './lateness.ts';
import { type Command, ServiceCounts, type Tenancy } from './tenants.ts';

/** A running service of several environments. */
export interface TenantsService {
  readonly url: string;
  /** What was asked for since this was called last. */
  counted(): Promise<ServiceCounts>;
  send(command: Command): void;
  stop(): void;
}

export async function startTenants(tenancy: Tenancy): Promise<TenantsService> {
  const child = startChild('scale/tenants-service.ts', JSON.stringify(tenancy));
  const url = `http://127.0.0.1:${z.number().parse(await nextMessage(child))}`;
  return {
    url,
    counted: async () => ServiceCounts.parse(await (await fetch(`${url}/counted`)).json()),
    send: (command) => void child.send(command),
    stop: () => child.disconnect(),
  };
}

/** The bot's settings for so many environments, one for each API key of the service. */
export function environmentVariables(environments: number, url: string): NodeJS.ProcessEnv {
  const names = Array.from({ length: environments }, (_, index) => `e${index + 1}`);
  const settings = names.flatMap((name, index) => [
    [`NOTIF_${name.toUpperCase()}_API_URL`, url],
    [`NOTIF_${name.toUpperCase()}_API_KEY`, `key-${index + 1}`],
  ]);
  return { NOTIF_ENVIRONMENTS: names.join(','), ...Object.fromEntries(settings) };
}

const LOOK_EVERY_MS = 500;

/** Waits until each environment has been polled since a time, and returns all polls meanwhile. Rejects after `withinMs`. */
export async function allPolled(
  service: TenantsService,
  {
    environments,
    since,
    withinMs,
  }: { readonly environments: number; readonly since: number; readonly withinMs: number },
): Promise<Poll[]> {
  const end = Date.now() + withinMs;
  const polls: Poll[] = [];
  const seen = new Set<number>();
  while (seen.size < environments) {
    if (Date.now() > end) throw new Error(`Only ${seen.size} of ${environments} environments were polled in time.`);
    await wait(LOOK_EVERY_MS);
    for (const [environment, at] of (await service.counted()).polls) {
      polls.push([environment, at]);
      if (at >= since) seen.add(environment);
    }
  }
  return polls;
}
