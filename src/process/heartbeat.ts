import type { HeartbeatAnswer } from '../domain/health/heartbeat.ts';
import { systemCode } from '../domain/text/system-code.ts';

const CALL_TIMEOUT_MS = 10_000;

/** GETs a dead man's switch once, within ten seconds. The address is a secret, so of fetch's errors only the system's code is passed on. */
export async function callHeartbeat(
  url: string,
  stopping: AbortSignal,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<HeartbeatAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([timeout, stopping]) });
    await response.body?.cancel();
    return { kind: 'answered', status: response.status };
  } catch (error) {
    return timeout.aborted ? { kind: 'timed-out' } : { kind: 'unreachable', code: systemCode(error) };
  }
}
