/** Returns the system's code (`ECONNREFUSED`) of an error or its nearest cause that has one; null if none has. */
export function systemCode(error: unknown): string | null {
  return withCode(error)?.code ?? null;
}

type CodedError = Error & { readonly code: string };

function withCode(error: unknown): CodedError | null {
  if (!(error instanceof Error)) return null;
  return hasCode(error) ? error : withCode(error.cause);
}

function hasCode(error: Error): error is CodedError {
  return 'code' in error && typeof error.code === 'string';
}

/** Codes of errors before a request was sent: nobody answered at its address, or what answered isn't trusted or doesn't use TLS. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);
/** The beginning of OpenSSL's other codes for a certificate that isn't trusted, as `CERT_HAS_EXPIRED`. */
const CERTIFICATE = 'CERT_';

const ON_CONNECTION: ReadonlySet<unknown> = new Set(['read', 'write', 'shutdown']);

export function wasNeverConnected(error: unknown): boolean {
  const coded = withCode(error);
  if (coded === null) return false;
  const call = callOf(coded);
  // A connection that was made can end with the same codes once the network is gone.
  return call === 'connect' || (!ON_CONNECTION.has(call) && isBeforeSending(coded.code));
}

function isBeforeSending(code: string): boolean {
  return NOT_CONNECTED.has(code) || code.startsWith(CERTIFICATE);
}

/** Returns what failed, if the system says so: `connect` (of each address that was tried), `getaddrinfo`, `read` or `write`. */
function callOf(error: Error): unknown {
  if (error instanceof AggregateError) {
    const calls = error.errors.map((inner) => (inner instanceof Error ? callOf(inner) : null));
    return calls.length > 0 && calls.every((call) => call === 'connect') ? 'connect' : null;
  }
  return Reflect.get(error, 'syscall');
}
