/**
 * Runs `work` and returns the CPU time that the whole process used until it was done, in milliseconds. Other load on the machine doesn't
 * count.
 */
export async function cpuTimed<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1_000 };
}
