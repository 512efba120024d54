import { describe, expect, test } from 'vitest';
import type { Logger } from '../../lib/logger.ts';
import { boltLogger } from './bolt-logger.ts';

function heard(): { logger: Logger; lines: [level: string, fields: object, sentence: string][] } {
  const lines: [string, object, string][] = [];
  const at = (level: string) => (fields: object, sentence: string) => lines.push([level, fields, sentence]);
  return { logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines };
}

describe('boltLogger', () => {
  test('drops the debug level, which contains whole payloads', () => {
    const { logger, lines } = heard();
    boltLogger(logger).debug('Received a message on the WebSocket: {"text":"what somebody typed"}');
    expect(lines).toEqual([]);
  });

  test('keeps the first line of a warning, scrubbed, under a constant message', () => {
    const { logger, lines } = heard();
    boltLogger(logger).warn('http request failed', 'refused xoxb-1234567890-abcdefghijkl\nsecond line');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[0]).toBe('warn');
    expect(lines[0]?.[2]).toBe('The Slack library warns');
    expect(JSON.stringify(lines)).toContain('http request failed refused');
    expect(JSON.stringify(lines)).not.toMatch(/1234567890|second line/);
  });

  test('passes an error on and leaves out other objects', () => {
    const { logger, lines } = heard();
    const error = new Error('broken');
    boltLogger(logger).error(error, { payload: 'what somebody typed' });
    expect(lines).toEqual([['warn', { err: error }, 'The Slack library reports an error']]);
  });

  test('keeps its level, whatever Bolt sets', () => {
    const { logger } = heard();
    const slackLogger = boltLogger(logger);
    slackLogger.setLevel(slackLogger.getLevel());
    expect(slackLogger.getLevel()).toBe('info');
  });
});
