import { createServer } from 'node:http';
import { z } from 'zod';
import { Command, eventsOfTenant, type ServiceCounts, type Surge, Tenancy, type TenantEvents } from './tenants.ts';

/**
 * A Notification Service of several environments that makes their events when they are asked for; its argument is a `Tenancy` as JSON. A
 * process of its own, which tells its port to its parent; a `Command` from its parent changes the rate of events, or ends them. `/counted`
 * says what was asked for since it was asked last (`ServiceCounts`).
 */
const tenancy = Tenancy.parse(JSON.parse(String(process.argv[2])));
const MOST_A_PAGE = 50;
let tenants = tenantsWith(null);
let end = Number.POSITIVE_INFINITY;

const Query = z.object({
  after: z.coerce.date().default(new Date(0)),
  before: z.coerce.date().optional(),
  page: z.coerce.number().default(0),
  limit: z.coerce.number().max(MOST_A_PAGE),
  channels: z.string().optional(),
});
type Query = z.infer<typeof Query>;

let counted = nothing();
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = url.pathname === '/counted' ? takeCounted() : answerTo(url, tenantOf(request.headers.authorization));
  response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.on('message', (message) => {
  const command = Command.parse(message);
  if ('surge' in command) tenants = tenantsWith(command.surge);
  else end = command.end;
});
process.on('disconnect', () => {
  server.close();
  server.closeAllConnections();
});

function tenantsWith(surge: Surge | null): readonly TenantEvents[] {
  return Array.from({ length: tenancy.environments }, (_, index) => eventsOfTenant(index + 1, tenancy, surge));
}

function tenantOf(authorization = ''): number {
  return Number(/key-(\d+)$/.exec(authorization)?.[1]);
}

/** Returns null for unknown paths and events. */
function answerTo({ pathname, searchParams }: URL, tenant: number): unknown {
  const events = tenants[tenant - 1];
  if (events === undefined) return null;
  counted.requests += 1;
  if (pathname === '/v1/integrations') return { data: [] };
  if (pathname === '/v1/notifications') return list(Query.parse(Object.fromEntries(searchParams)), tenant, events);
  const id = /^\/v1\/notifications\/([0-9a-f]{24})$/.exec(pathname)?.[1];
  return id === undefined ? null : { data: events.byId(id) };
}

/**
 * Lists events. A request with channels is a sweep; one without is a poll, and its first page marks the poll's start. Nothing is listed
 * before it was created.
 */
function list({ after, before, page, limit, channels }: Query, tenant: number, events: TenantEvents): object {
  const now = Date.now();
  if (channels !== undefined) counted.checks += 1;
  else if (page === 0) counted.polls.push([tenant, now]);
  const until = Math.min(now, before?.getTime() ?? now, end);
  const data = events.created(after.getTime(), until, page * limit, limit);
  counted.events += data.length;
  if (channels !== undefined) counted.checkedEvents += data.length;
  return { hasMore: data.length === limit, data, pageSize: limit, page };
}

function takeCounted(): ServiceCounts {
  const taken = counted;
  counted = nothing();
  return taken;
}

function nothing() {
  return { requests: 0, checks: 0, events: 0, checkedEvents: 0, polls: [] as [environment: number, at: number][] };
}
