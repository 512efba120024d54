/** Returns null if the body is longer or breaks off. Each chunk costs memory: anybody can send single bytes. */
export async function bodyOf(request: AsyncIterable<Buffer>, mostBytes: number) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length + 256;
      if (bytes > mostBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
