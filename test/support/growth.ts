/** Minimum processor time of a measurement, in microseconds: far above the resolution of the clock. */
const leastMeasured = 20_000;

/**
 * Factor by which work grows when a task is four times as large: 4 if linear, 16 if quadratic. Counts
 * processor time of this thread, and takes the minimum of several measurements, so that other programs have
 * no effect.
 *
 * @param task work whose amount depends on a size
 * @param size the smaller of the two sizes
 */
export async function growth(task: (size: number) => unknown, size: number): Promise<number> {
  // Compiles the measured code.
  await task(size);
  return (await leastTime(task, 4 * size)) / (await leastTime(task, size));
}

async function leastTime(task: (size: number) => unknown, size: number): Promise<number> {
  const times: number[] = [];
  for (let measurement = 0; measurement < 5; measurement++) times.push(await timeOf(task, size));
  return Math.min(...times);
}

/** Processor time of one run, in microseconds. */
async function timeOf(task: (size: number) => unknown, size: number): Promise<number> {
  const start = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    await task(size);
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= leastMeasured) return (user + system) / runs;
  }
}
