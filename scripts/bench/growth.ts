/** Time and memory of some work on a session of one size. */
export interface GrowthPoint {
  /** A verb: `count`. */
  readonly work: string;
  readonly tokens: number;
  /** Milliseconds. */
  readonly time: number;
  /** Bytes of the result. */
  readonly memory: number;
}

/** All points of one kind of work, in ascending order of tokens. */
export interface Growth {
  readonly work: string;
  readonly points: readonly GrowthPoint[];
}

export function growthOf(points: readonly GrowthPoint[]): readonly Growth[] {
  const works = [...new Set(points.map(({ work }) => work))];
  return works.map((work) => ({
    work,
    points: points.filter((point) => point.work === work).toSorted((one, other) => one.tokens - other.tokens),
  }));
}

/** The exponent e of time = c · tokens^e that fits points best, by least squares of the logarithms. */
export function exponentOf(points: readonly GrowthPoint[]): number {
  const logs = points.map(({ tokens, time }) => [Math.log(tokens), Math.log(time)] as const);
  const mean = (axis: 0 | 1) => logs.reduce((sum, pair) => sum + pair[axis], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, pair) => sum + (pair[0] - x) * (pair[1] - y), 0);
  return covariance / logs.reduce((sum, pair) => sum + (pair[0] - x) ** 2, 0);
}
