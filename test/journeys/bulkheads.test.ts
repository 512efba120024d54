import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bounced, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

const MINUTE = 60_000;
/** Notif gives up a hanging list after 31 s: what is posted before didn't wait for it. */
const BEFORE_GIVING_UP_MS = 28_000;

/** A proxy to a service. It never answers a list that ends more than five minutes ago, as the passes over the past ask. */
class HangingPast {
  readonly #server: Server = createServer((asked, answer) => this.#pass(asked, answer));
  target = '';
  hung = 0;
  now = () => Date.now();

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const before = new URL(asked.url ?? '', 'http://service').searchParams.get('before');
    if (before !== null && Date.parse(before) < this.now() - 5 * MINUTE) {
      this.hung += 1;
      return;
    }
    const onward = request(`${this.target}${asked.url}`, { method: asked.method, headers: asked.headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }
}

describe('when every list of the past hangs, and an event has an ID of 6 kB', () => {
  const way = new HangingPast();
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: { NOTIF_PRODUCTION_API_URL: await way.open() } });
    way.target = world.service.url;
    way.now = () => world.service.world.now();
    world.service.world.plantEvent(bounced({ subscriber: 'user-1' }));
    await world.start();
    await world.log.until('events checked');
  });
  afterAll(async () => {
    await world.close();
    way.close();
  });

  test('Notif posts failures of other incidents without waiting for those lists', async () => {
    const { service, ann, passes } = world;
    const laterStill = () => {
      passes(MINUTE);
      return way.hung;
    };
    await expect.poll(laterStill, { timeout: 60_000, interval: 1_000 }).toBeGreaterThan(0);
    service.world.plantEvent(failed('sms', { subscriber: randomBytes(3_000).toString('hex') }));
    service.world.plantEvent(failed('email', { subscriber: 'ape' }));
    await ann.sees('Unauthorized (401)', ONCALL, BEFORE_GIVING_UP_MS);
  });
});
