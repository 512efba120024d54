import { expect, it } from 'vitest';
import { welcome } from './welcome.ts';

it('the welcome says where to look, what to type and where the log is', () => {
  const text = welcome({
    pageUrl: 'http://127.0.0.1:4601',
    environments: [{ name: 'production', url: 'http://127.0.0.1:4010' }],
    failedEventId: '65f0c0ffee',
    logFile: '.cache/sandbox-bot.log',
    opening: { scenario: 'provider-outage', seed: 1, speed: 1, inMs: 25_000 },
  });
  for (const fact of [
    'Open http://127.0.0.1:4601',
    '/notif event 65f0c0ffee',
    '.cache/sandbox-bot.log',
    "In 25 seconds the scenario 'provider-outage' begins",
  ])
    expect(text).toContain(fact);
});
