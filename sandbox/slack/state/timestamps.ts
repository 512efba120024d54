/** Creates Slack's message timestamps ('1712345678.000200'): the clock's time in seconds, each later than the previous one. */
export function timestamps(now: () => number): () => string {
  let lastMicros = 0;
  return () => {
    lastMicros = Math.max(Math.floor(now()) * 1000, lastMicros + 1);
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, '0')}`;
  };
}
