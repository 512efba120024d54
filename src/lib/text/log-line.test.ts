import { describe, expect, test } from 'vitest';
import { logLine } from './scrub.ts';

describe('logLine', () => {
  test('keeps only the first line', () => {
    expect(logLine('Failed query: insert into events\nparams: anna,berta')).toBe('Failed query: insert into events');
  });

  test('removes what a library quotes, even if the quote is cut', () => {
    expect(logLine('Unexpected token a, "anna"... is not valid JSON')).toBe(
      'Unexpected token a, "…"... is not valid JSON',
    );
    expect(logLine('Unexpected end of "anna')).toBe('Unexpected end of "…"');
  });

  test('scrubs secrets', () => {
    expect(logLine('refused xoxb-1234567890-abcdefghijkl')).not.toContain('1234567890');
  });

  test('ends at a line break of any system, and returns nothing of an empty text', () => {
    expect(logLine('refused\r\nparams: anna')).toBe('refused');
    expect(logLine('')).toBe('');
  });

  test('looks only at the beginning of a very long text', () => {
    expect(logLine(`"${'a'.repeat(10_000)}" is refused`)).toBe('"…" is refused');
    expect(logLine(`"${'a'.repeat(20_000)}" is refused`)).toBe('"…"');
  });

  test('cuts a long line', () => {
    expect(logLine('word '.repeat(1000)).length).toBeLessThanOrEqual(500);
  });
});
