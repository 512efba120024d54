import { systemCode } from './errors.ts';

interface AddressCall extends Omit<RequestInit, 'signal'> {
  stopping: AbortSignal;
  timeoutMs?: number | undefined;
  /** Returns what is wrong with the answer, a clause after "its address", or null. */
  judge?: (answer: Response) => Promise<string | null>;
}

/** Returns why the call failed, or null. Fetch's own error holds the address, possibly a secret. */
export async function callAddress(
  url: string,
  { stopping, timeoutMs = 10_000, judge = anySuccess, ...request }: AddressCall,
): Promise<string | null> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.any([timeout, stopping]) });
    const wrong = await judge(answer);
    if (!answer.bodyUsed) await answer.body?.cancel();
    return wrong && `its address ${wrong}`;
  } catch (error) {
    if (timeout.aborted) return "its address didn't answer in time";
    return `its address can't be reached (${systemCode(error) ?? 'unknown'})`;
  }
}

async function anySuccess({ ok, status }: Response): Promise<string | null> {
  return ok ? null : `answered ${status}`;
}

/** What a chunk costs in memory beside its bytes: anybody can send single ones. */
const BYTES_A_CHUNK = 256;

/** Returns null if the body is longer or breaks off. */
export async function bodyOf(
  message: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  mostBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length + BYTES_A_CHUNK;
      if (bytes > mostBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
