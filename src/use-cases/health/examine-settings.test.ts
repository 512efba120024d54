import { expect, test } from 'vitest';
import { at, NOON } from '../../domain/service/event.testing.ts';
import { troublesOf } from './examine.testing.ts';
import { type ExamineSettingsParts, settingsChecks } from './examine-settings.ts';

function troubles(change: Partial<ExamineSettingsParts>): Promise<string[]> {
  return troublesOf(
    settingsChecks({
      store: { lastHeartbeat: async () => null },
      pollMs: 60_000,
      running: { startedAt: NOON },
      now: () => at(1),
      hasHeartbeat: true,
      warnings: [],
      ...change,
    }),
  );
}

test('recommends a heartbeat if none is set, without asking for the last one', async () => {
  const store = { lastHeartbeat: () => Promise.reject(new Error('not asked')) };
  expect(await troubles({ hasHeartbeat: false, store })).toEqual([
    "advice Heartbeat: Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.",
  ]);
});

test('passes on each warning about a variable, with its name', async () => {
  const warnings = [
    { variable: 'NOTIF_OPERATORS', warning: 'lets everybody change things' },
    { variable: 'NOTIF_POLL_SECONDS', warning: 'is very long' },
  ];
  expect((await troubles({ warnings })).filter((line) => line.includes('Settings'))).toEqual([
    'advice Settings: NOTIF_OPERATORS lets everybody change things.',
    'advice Settings: NOTIF_POLL_SECONDS is very long.',
  ]);
});
