import { expect, test } from 'vitest';
import { InputError, systemCode, wasNeverConnected, withExample } from './errors.ts';

test("an example follows what is wrong with a form's field, on one line", () => {
  expect(withExample(new InputError('rows', 'There is no row.', 'user-1\nuser-2'))).toBe(
    'There is no row. For example: user-1, user-2',
  );
  expect(withExample(new InputError('rows', 'There is no row.'))).toBe('There is no row.');
});

const coded = (code: string) => Object.assign(new Error('refused'), { code });

test('a system code is that of an error or of its nearest cause that has one', () => {
  expect(systemCode(coded('ECONNRESET'))).toBe('ECONNRESET');
  expect(systemCode(new TypeError('fetch failed', { cause: coded('ENOTFOUND') }))).toBe('ENOTFOUND');
  expect(systemCode(new Error('odd', { cause: 'ENOTFOUND' }))).toBeNull();
  expect(systemCode('ENOTFOUND')).toBeNull();
});

test('a certificate that is refused, a proxy that refuses, or no address, says that there was never a connection', () => {
  const certificates = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'];
  const others = ['ECONNREFUSED', 'ENOTFOUND', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_PROXY proxy.example.com:3128 407'];
  for (const code of [...certificates, ...others]) expect(wasNeverConnected(coded(code))).toBe(true);
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']) expect(wasNeverConnected(coded(code))).toBe(false);
  expect(wasNeverConnected(new Error('odd'))).toBe(false);
});

test('an error that can also end an open connection says so only where connecting failed', () => {
  const during = (syscall: string) => Object.assign(coded('ETIMEDOUT'), { syscall });
  expect(wasNeverConnected(during('connect'))).toBe(true);
  expect(wasNeverConnected(new TypeError('fetch failed', { cause: during('connect') }))).toBe(true);
  for (const syscall of ['read', 'write']) expect(wasNeverConnected(during(syscall))).toBe(false);
});
