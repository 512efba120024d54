import { expect, it } from 'vitest';
import { systemCode, wasNeverConnected } from './system-code.ts';

const coded = (code: string) => Object.assign(new Error('refused'), { code });

it('is the code of an error or of its nearest cause that has one', () => {
  expect(systemCode(coded('ECONNRESET'))).toBe('ECONNRESET');
  expect(systemCode(new TypeError('fetch failed', { cause: coded('ENOTFOUND') }))).toBe('ENOTFOUND');
  expect(systemCode(new Error('odd', { cause: 'ENOTFOUND' }))).toBeNull();
  expect(systemCode('ENOTFOUND')).toBeNull();
});

it('says whether a request failed before there was a connection', () => {
  for (const code of ['ECONNREFUSED', 'ENETUNREACH', 'CERT_HAS_EXPIRED'])
    expect(wasNeverConnected(coded(code))).toBe(true);
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']) expect(wasNeverConnected(coded(code))).toBe(false);
  expect(wasNeverConnected(new Error('odd'))).toBe(false);
});
