import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { Logger } from '../lib/logger.ts';
import { createApiKeys } from './service-clients.ts';

const settings = (name: string, apiKey: string) => ({
  environment: anEnvironment({ name }),
  variablePrefix: 'NOTIF_',
  apiUrl: 'https://api.example.com',
  apiKey,
});

test('replaces the keys of known environments without logging them', () => {
  const lines: unknown[] = [];
  const note = (fields: object, sentence: string): void => void lines.push({ ...fields, sentence });
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const keys = createApiKeys([settings('production', 'old-key'), settings('staging', 'same-key')], logger);
  keys.replace([settings('production', 'new-key'), settings('staging', 'same-key'), settings('unknown', 'other-key')]);
  expect(keys.keyOf('production')).toBe('new-key');
  expect(keys.keyOf('staging')).toBe('same-key');
  keys.replace([settings('production', 'kéy')]);
  expect(keys.keyOf('production')).toBe('new-key');
  expect(lines).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toMatch(/-key|kéy/);
});
