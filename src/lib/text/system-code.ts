export function systemCode(error: unknown): string | null {
  const code: unknown = withCode(error)?.code;
  return typeof code === 'string' ? code : null;
}

function withCode(error: unknown): (Error & { code: unknown }) | null {
  if (!(error instanceof Error)) return null;
  return 'code' in error && typeof error.code === 'string' ? error : withCode(error.cause);
}

const NOT_CONNECTED = new RegExp(
  `^(?:${[
    ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
    ...['UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ...[
      'SELF_SIGNED_CERT_IN_CHAIN',
      'CERT_.*',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ERR_PROXY .*',
    ],
  ].join('|')})$`,
);

export function wasNeverConnected(error: unknown): boolean {
  const coded = withCode(error);
  if (coded === null) return false;
  const call = callOf(coded);
  // A connection that was made can end with the same codes.
  const isOnConnection = call === 'read' || call === 'write' || call === 'shutdown';
  return call === 'connect' || (!isOnConnection && NOT_CONNECTED.test(String(coded.code)));
}

function callOf(error: Error): unknown {
  if (!(error instanceof AggregateError)) return Reflect.get(error, 'syscall');
  const calls = error.errors.map((inner) => (inner instanceof Error ? callOf(inner) : null));
  return calls.length > 0 && calls.every((call) => call === 'connect') ? 'connect' : null;
}
