import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { openWorld, type World } from '../support/world.ts';

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.object({ stringValue: z.string() }) })),
  events: z.array(z.object({ name: z.string() })).default([]),
});
type Span = z.infer<typeof Span>;
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});

/** An OpenTelemetry collector for traces by OTLP over HTTP. */
class Collector {
  readonly spans: Span[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') {
      const { resourceSpans } = Export.parse(await json(request));
      this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    }
    response.end('{}');
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}

const SUBSCRIBER = 'somebody-in-particular';

describe('traces', () => {
  const collector = new Collector();
  let world: World;
  beforeAll(async () => {
    const endpoint = await collector.open();
    world = await openWorld({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, NOTIF_POLL_SECONDS: '3' } });
    const { ann, service, slack } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: SUBSCRIBER }));
    await ann.asks(`/notif event ${event._id}`);
    await slack.workspace.until(() => slack.calls.of('chat.postMessage').length > 0, { what: 'a digest' });
    service.faults.set('retrieveEvent', { kind: 'wrong shape' });
    await ann.asks(`/notif event ${event._id}`);
    await world.stop();
  });
  afterAll(async () => {
    await world.close();
    collector.close();
  });

  const childrenOf = (root: Span) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId).map(({ name }) => name);
  const rootsNamed = (name: string) =>
    collector.spans.filter((span) => span.name === name && (span.parentSpanId ?? '') === '');

  test('contain a command with its acknowledgment, API calls, Slack calls and statements', () => {
    const [command, ...more] = rootsNamed('command /notif');
    if (command === undefined) throw new Error('There is no span for the command.');
    expect(more).toHaveLength(1);
    expect(command.events.map(({ name }) => name)).toEqual(['acknowledged']);
    expect(childrenOf(command)).toEqual(expect.arrayContaining(['api retrieveEvent', 'slack users.info', 'sql read']));
  });

  test('contain a poll with its API calls and transactions, and a delivery with its post', () => {
    const polls = rootsNamed('job poll-production').flatMap(childrenOf);
    expect(polls).toEqual(expect.arrayContaining(['api listEvents', 'sql transaction']));
    expect(rootsNamed('job deliver').flatMap(childrenOf)).toContain('slack chat.postMessage');
  });

  test('are named in the log line of an error reference', () => {
    const [line] = world.log.saying('"reference"');
    expect(collector.spans.map(({ traceId }) => traceId)).toContain(line?.traceId);
  });

  test('contain no payloads, IDs, tokens or addresses', () => {
    const keys = collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key));
    expect([...new Set(keys)].filter((key) => key !== 'error.type')).toEqual(['notif.outcome']);
    const sent = JSON.stringify(collector.spans);
    for (const secret of [SUBSCRIBER, 'U0ANN', 'xoxb', 'xapp', 'http', 'hooks', '@', world.service.apiKey])
      expect(sent).not.toContain(secret);
  });
});
