/** Returns null if the body is longer or breaks off. Each chunk costs memory: anybody can send single bytes. */
export async function bodyOf(
  message: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  mostBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length + 256;
      if (bytes > mostBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
