/** Returns the system's code (`ECONNREFUSED`) of an error or its nearest cause that has one; null if none has. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return systemCode(error.cause);
}

/** Codes of errors before a connection was made. */
const NOT_CONNECTED: ReadonlySet<string | null> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Returns whether a request failed before there was a connection, so that nothing of it can have arrived. */
export function wasNeverConnected(error: unknown): boolean {
  return NOT_CONNECTED.has(systemCode(error));
}
