/** The system's code (`ECONNREFUSED`) of an error or of the nearest of its causes that has one; null where none has. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return systemCode(error.cause);
}
