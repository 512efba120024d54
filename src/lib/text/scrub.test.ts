import { describe, expect, test } from 'vitest';
import cases from './scrub.cases.json' with { type: 'json' };
import { SCRUBBED_LENGTH, scrub } from './scrub.ts';

describe('scrub', () => {
  test.each(cases.removed)('removes %s', (_, text, secret, ...others) => {
    for (const hidden of [secret, ...others]) {
      expect(scrub(text)).not.toContain(hidden);
      expect(scrub(JSON.stringify({ error: text }))).not.toContain(hidden);
    }
  });

  test.each(cases.unchanged)('leaves %j unchanged', (text) => {
    expect(scrub(text)).toBe(text);
  });

  test('shows characters in full width as usual ones, but not those that end a secret', () => {
    expect(scrub('错误：Ｅ１２ ＡＰＩ，失败！')).toBe('错误:E12 API，失败！');
    expect(scrub('{"password":"abc＂def＜ghi］jkl｝","a')).toBe('{"password":"•••","a');
  });

  test('extracts the visible text of a web page', () => {
    expect(scrub('<!DOCTYPE html><title>502</title>\n<body><h1>Bad&nbsp;Gateway</h1><!-- x -->\r\n</body>')).toBe(
      '502 Bad Gateway',
    );
  });

  describe.each(Object.entries(cases.shown))('%s', (_, rows) => {
    test.each(rows)('in %j', (text, shown) => {
      expect(scrub(text)).toBe(shown);
    });
  });

  test.each(cases.keys)('masks %s that stands alone', (_, key) => {
    expect(scrub(`sent ${key} to it`)).toBe('sent ••• to it');
  });

  test.each(cases.names)('leaves %s, which is too short or too regular for a key', (name) => {
    expect(scrub(`sent ${name} to it`)).toBe(`sent ${name} to it`);
  });

  test('keeps JSON readable', () => {
    const scrubbed = scrub('{"password": "a\\"b", "to": ["anna@example.com"], "ok": false}');
    expect(JSON.parse(scrubbed)).toEqual({ password: '•••', to: ['a•••@example.com'], ok: false });
  });

  test('cuts a long text, but never within a character', () => {
    const scrubbed = scrub('🎉 '.repeat(2_000));
    expect(scrubbed.length).toBeLessThanOrEqual(SCRUBBED_LENGTH);
    expect(scrubbed.endsWith('🎉…')).toBe(true);
  });

  test('reads only the first 8,000 characters, however long and adversarial the text is', () => {
    for (const unkind of cases.adversarial) {
      const long = unkind.repeat(100_000 / unkind.length);
      expect(scrub(long)).toBe(scrub(long.slice(0, 8_001)));
      expect(scrub(scrub(long.slice(0, 7_999)))).toBe(scrub(long.slice(0, 7_999)));
    }
  });

  test('shows nothing of a secret that continues beyond what it reads', () => {
    for (const secret of [
      'SG.abcdefgh.ijklmnop',
      'anna.schmidt@example.com',
      '+49 170 1234567',
      'https://a:b@example.com/x',
    ]) {
      for (let shown = 1; shown < secret.length; shown++) {
        const text = `<p>${' '.repeat(8_000 - 3 - shown)}${secret}${' x'.repeat(100)}`;
        expect(scrub(text)).toMatch(/^(?:\+49|\+|)…?$/);
      }
    }
  });
});
