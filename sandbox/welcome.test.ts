import { expect, test } from 'vitest';
import { welcome } from './welcome.ts';

const textAt = (pageUrl: string) =>
  welcome({
    pageUrl,
    environments: [{ name: 'production', url: 'http://127.0.0.1:4010' }],
    failedEventId: '65f0c0ffee',
    logFile: '.cache/sandbox-bot.log',
    opening: { scenario: 'provider-outage', seed: 1, speed: 1, inMs: 25_000 },
  });

test('the welcome says where to look, what to type and where the log is', () => {
  for (const fact of [
    'Open http://127.0.0.1:4601',
    '/notif event 65f0c0ffee',
    '.cache/sandbox-bot.log',
    "In 25 seconds the scenario 'provider-outage' begins",
  ])
    expect(textAt('http://127.0.0.1:4601')).toContain(fact);
});

test('the welcome of a second sandbox has commands for that one', () => {
  expect(textAt('http://127.0.0.1:4600')).toContain('npm run sandbox:direct -- start bounce-storm)');
  expect(textAt('http://127.0.0.1:4601')).toContain('npm run sandbox:direct -- start bounce-storm --port 4601)');
});
