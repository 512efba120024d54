export function systemCode(error: unknown): string | null {
  const code: unknown = withCode(error)?.code;
  return typeof code === 'string' ? code : null;
}

function withCode(error: unknown): (Error & { code: unknown }) | null {
  if (!(error instanceof Error)) return null;
  return 'code' in error && typeof error.code === 'string' ? error : withCode(error.cause);
}

/** ETIMEDOUT isn't one of them: it can also end an open connection. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_PROXY .*|CERT_.*|UNABLE_TO_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_WRONG_VERSION_NUMBER)$/;

export function wasNeverConnected(error: unknown): boolean {
  const coded = withCode(error);
  if (coded === null) return false;
  return Reflect.get(coded, 'syscall') === 'connect' || NOT_CONNECTED.test(String(coded.code));
}
