import { systemCode } from './system-code.ts';

interface AddressCall extends Omit<RequestInit, 'signal'> {
  stopping: AbortSignal;
  timeoutMs?: number | undefined;
}

/** Returns why the call failed, or null. Fetch's own error holds the address, possibly a secret. */
export async function callAddress(url: string, { stopping, timeoutMs = 10_000, ...request }: AddressCall) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.any([timeout, stopping]) });
    await response.body?.cancel();
    return response.ok ? null : `its address answered ${response.status}`;
  } catch (error) {
    if (timeout.aborted) return "its address didn't answer in time";
    return `its address can't be reached (${systemCode(error) ?? 'unknown'})`;
  }
}
