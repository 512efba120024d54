/** Returns the system's code (`ECONNREFUSED`) of an error or its nearest cause that has one; null if none has. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return systemCode(error.cause);
}
