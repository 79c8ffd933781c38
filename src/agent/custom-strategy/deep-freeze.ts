/** Freezes plain data and everything in it, however deep. @returns the same value */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const part of Object.values(next)) waiting.push(part);
  }
  return value;
}
