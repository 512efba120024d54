import { expect, test } from 'vitest';
import { systemCode, wasNeverConnected } from './system-code.ts';

const coded = (code: string) => Object.assign(new Error('refused'), { code });

test('is the code of an error or of its nearest cause that has one', () => {
  expect(systemCode(coded('ECONNRESET'))).toBe('ECONNRESET');
  expect(systemCode(new TypeError('fetch failed', { cause: coded('ENOTFOUND') }))).toBe('ENOTFOUND');
  expect(systemCode(new Error('odd', { cause: 'ENOTFOUND' }))).toBeNull();
  expect(systemCode('ENOTFOUND')).toBeNull();
});

test('says whether a request failed before there was a connection', () => {
  const certificates = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'];
  for (const code of [...certificates, 'ECONNREFUSED', 'ENETUNREACH', 'ERR_SSL_WRONG_VERSION_NUMBER'])
    expect(wasNeverConnected(coded(code))).toBe(true);
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']) expect(wasNeverConnected(coded(code))).toBe(false);
  expect(wasNeverConnected(new Error('odd'))).toBe(false);
});

test.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'])(
  'takes %s for a failure to connect only where connecting failed',
  (code) => {
    const during = (syscall: string) => Object.assign(coded(code), { syscall });
    const toEach = (errors: Error[]) => Object.assign(new AggregateError(errors), { code });
    expect(wasNeverConnected(during('connect'))).toBe(true);
    expect(wasNeverConnected(new TypeError('fetch failed', { cause: during('connect') }))).toBe(true);
    expect(wasNeverConnected(toEach([during('connect'), during('connect')]))).toBe(true);
    for (const syscall of ['read', 'write']) expect(wasNeverConnected(during(syscall))).toBe(false);
  },
);

test('takes several addresses for a failure to connect only if connecting failed at each', () => {
  const during = (syscall: string) => Object.assign(coded('ETIMEDOUT'), { syscall });
  const toEach = (...errors: unknown[]) => Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' });
  expect(wasNeverConnected(toEach(during('connect'), toEach(during('connect'))))).toBe(true);
  for (const errors of [
    [],
    [during('connect'), during('read')],
    [during('connect'), 'ETIMEDOUT'],
    [coded('ETIMEDOUT')],
  ])
    expect(wasNeverConnected(toEach(...errors))).toBe(false);
});
