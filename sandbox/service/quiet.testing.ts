import { afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import type { Json } from './entities.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from './server.ts';

/** A Tuesday noon: the time of a quiet service. */
export const noon = Date.parse('2026-03-10T12:00:00.000Z');

const JsonObject = z.record(z.string(), z.unknown());

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface QuietService extends LocalService {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Starts a service in which nothing happens by itself: no traffic arrives, and the clock stands still until a test advances it. */
export async function startQuietService(options: LocalServiceOptions = {}): Promise<QuietService> {
  const service = await startLocalService({ now: () => noon, ...options });
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const usual = {
      authorization: `ApiKey ${service.apiKey}`,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    };
    const response = await fetch(service.url + path, { method, headers: { ...usual, ...headers }, ...json });
    return { status: response.status, headers: response.headers, body: JsonObject.parse(await response.json()) };
  };
  return {
    ...service,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
  };
}

/** Starts a service for each test. The returned object gets its properties then. */
export function quietEachTest(options: LocalServiceOptions = {}): QuietService {
  const service: QuietService = Object.create(null);
  beforeEach(async () => void Object.assign(service, await startQuietService(options)));
  afterEach(() => service.close());
  return service;
}

const Items = z.array(z.looseObject({ _id: z.string().optional() }));

/** Returns the `_id` of each item of a list's answer. */
export function idsOnPage({ data }: Json): (string | undefined)[] {
  return Items.parse(data).map(({ _id }) => _id);
}
