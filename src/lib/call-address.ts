import { systemCode } from './system-code.ts';

interface AddressCall extends Omit<RequestInit, 'signal'> {
  /** What the words are about: "its address". */
  subject: string;
  stopping: AbortSignal;
  timeoutMs?: number | undefined;
}

/** Returns why it failed, or null: never fetch's own error, which holds the address, possibly a secret. */
export async function callAddress(
  url: string,
  { subject, stopping, timeoutMs = 10_000, ...request }: AddressCall,
): Promise<string | null> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.any([timeout, stopping]) });
    await response.body?.cancel();
    return response.ok ? null : `${subject} answered ${response.status}`;
  } catch (error) {
    if (timeout.aborted) return `${subject} didn't answer in time`;
    const code = systemCode(error);
    return `${subject} can't be reached${code === null ? '' : ` (${code})`}`;
  }
}
