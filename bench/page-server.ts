import { createServer } from 'node:http';
import { eventPage } from './event-page.ts';

/** Serves the page for every request, in its own process, so that its work isn't counted. Sends its port to its parent. */
const page = Buffer.from(eventPage());
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': page.byteLength });
  response.end(page);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => server.close());
