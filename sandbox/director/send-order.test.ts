import { expect, test } from 'vitest';
import { serve } from '../slack/testing.ts';
import { directorRoutes } from './routes.ts';
import { SCENARIOS } from './scenarios.ts';
import { sendOrder } from './send-order.ts';
import { openTheatre } from './testing.ts';

test('an order returns the scenarios, or says that the director knows none by that name', async () => {
  const theatre = await openTheatre(SCENARIOS);
  theatre.slack.mount('/director/', directorRoutes(theatre.director));
  const port = Number(new URL(theatre.slack.url).port);
  expect(await sendOrder(port, null)).toMatchObject({ ok: true, scenarios: { length: SCENARIOS.length } });
  const unknown = await sendOrder(port, { scenario: 'flood', direction: { do: 'stop' } });
  expect(unknown).toMatchObject({ ok: false, message: expect.stringContaining('flood') });
  await theatre.close();
});

test.each([
  ['a page', 200, '<p>hello</p>'],
  ['other JSON', 200, '{"hello": "world"}'],
  ['another error', 404, '{"error": "not_found"}'],
])('an order says that no sandbox answers if a server answers with %s', async (_what, status, body) => {
  const { origin, stop } = await serve((_, response) => response.writeHead(status).end(body));
  const port = Number(new URL(origin).port);
  const message = `No sandbox answers at port ${port}. Start it with npm run sandbox, or say --port.`;
  expect(await sendOrder(port, null)).toEqual({ ok: false, message });
  stop();
  expect(await sendOrder(port, null)).toEqual({ ok: false, message });
});
