/** Does `work`, and says how much CPU time the whole process spent until it was done, in milliseconds: what else runs on the machine does not count. */
export async function cpuTimed<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1_000 };
}
