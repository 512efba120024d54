import { createServer } from 'node:http';
import { z } from 'zod';
import { listenOn } from '../src/lib/serve.testing.ts';
import { Generation, generatedEvents } from './generated-events.ts';

/**
 * A Notification Service that generates its events on request, so that any number of them needs no memory. `/listed` returns how often
 * the list was requested. Its argument is a `Generation` as JSON; it sends its port to its parent.
 */
const events = generatedEvents(Generation.parse(JSON.parse(String(process.argv[2]))));
const MOST_A_PAGE = 50;

const Query = z.object({
  after: z.coerce.date().default(new Date(0)),
  before: z.coerce.date().default(() => new Date()),
  page: z.coerce.number().default(0),
  limit: z.coerce.number().max(MOST_A_PAGE).default(10),
});

let listed = 0;
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = answerTo(url);
  response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
});
process.send?.(await listenOn(server));
process.on('disconnect', () => {
  server.close();
  server.closeAllConnections();
});

/** Returns null for an unknown path; every ID of 24 hex digits has an event. */
function answerTo({ pathname, searchParams }: URL): unknown {
  if (pathname === '/listed') return listed;
  if (pathname === '/v1/notifications') return list(Query.parse(Object.fromEntries(searchParams)));
  const id = /^\/v1\/notifications\/([0-9a-f]{24})$/.exec(pathname)?.[1];
  return id === undefined ? null : { data: events.byId(id) };
}

function list({ after, before, page, limit }: z.infer<typeof Query>): object {
  listed++;
  const data = events.created(after.getTime(), before.getTime(), page * limit, limit);
  return { hasMore: data.length === limit, data, pageSize: limit, page };
}
