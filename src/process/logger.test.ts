import { Writable } from 'node:stream';
import { FetchError } from 'ofetch';
import { describe, expect, test } from 'vitest';
import type { Logger } from '../lib/logger.ts';
import { ServiceError } from '../service/service-error.ts';
import { createLogger } from './logger.ts';

function lines(write: (logger: Logger) => void): Record<string, unknown>[] {
  const written: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  write(createLogger({ level: 'info', destination }));
  return written.map((line) => JSON.parse(line));
}

describe('createLogger', () => {
  test('writes one JSON object per line: level, time, fields, message', () => {
    const [line] = lines((logger) => logger.warn({ environment: 'production', waitedMs: 12 }, 'The service is slow'));
    expect(line).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      environment: 'production',
      waitedMs: 12,
      msg: 'The service is slow',
    });
  });

  test('removes fields that must never be logged, also up to two levels down', () => {
    const text = JSON.stringify(
      lines((logger) =>
        logger.info({ apiKey: 'planted', slack: { botToken: 'planted' }, a: { b: { headers: 'planted' } } }, 'Said'),
      ),
    );
    expect(text).not.toContain('planted');
  });

  test('describes an error and its causes in any field', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = new TypeError("The list couldn't be read", { cause });
    for (const field of ['error', 'err', 'reason']) {
      const [line] = lines((logger) => logger.error({ [field]: error }, 'The poll failed'));
      expect(line?.[field]).toMatchObject({
        class: 'TypeError',
        message: "The list couldn't be read",
        causes: [{ class: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }],
      });
    }
  });

  test('writes no stack of what is merely away', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const away = new ServiceError('production', 'listEvents', { kind: 'unreachable' }, { cause });
    expect(JSON.stringify(lines((logger) => logger.warn({ err: away }, 'The service is away')))).not.toContain('stack');
  });

  test('shows where an error came from without repeating its message', () => {
    const [line] = lines((logger) => logger.error({ error: new Error('planted\n    planted "word"') }, 'Failed'));
    expect(JSON.stringify(line)).not.toContain('word');
    expect(line?.error).toMatchObject({
      stack: expect.arrayContaining([expect.stringMatching(/^at .*logger\.test\.ts/)]),
    });
  });

  test('shows only the class, status and scrubbed first line of a request error', () => {
    const error = Object.assign(new FetchError('[GET] "https://api.example.com/events?email=anna@example.com": 401'), {
      request: 'https://api.example.com/events?email=anna@example.com',
      options: { headers: { authorization: 'ApiKey planted' } },
      data: { message: 'planted' },
      statusCode: 401,
    });
    const [line] = lines((logger) => logger.error({ error }, 'The request failed'));
    expect(JSON.stringify(line)).not.toMatch(/planted|anna|api\.example/);
    expect(line?.error).toMatchObject({ class: 'FetchError', status: 401 });
  });

  test('stops at an error that is its own cause', () => {
    const error = new Error('round and round');
    error.cause = error;
    expect(lines((logger) => logger.error({ error }, 'Failed'))).toHaveLength(1);
  });
});
