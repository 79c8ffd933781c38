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

/** The points that the measures of the part `growth` are about. */
export function growthPoints(measures: readonly { readonly name: string; readonly value: number }[]) {
  const points = new Map<string, GrowthPoint>();
  for (const { name, value } of measures) {
    const [, work, tokens = '', axis] = /^(\w+), ([\d,]+) tokens: (time|memory)$/u.exec(name) ?? [];
    if (work === undefined) continue;
    const key = `${work} ${tokens}`;
    const known = points.get(key) ?? { work, tokens: Number(tokens.replaceAll(',', '')), time: 0, memory: 0 };
    points.set(key, { ...known, [axis === 'time' ? 'time' : 'memory']: value });
  }
  return [...points.values()];
}
