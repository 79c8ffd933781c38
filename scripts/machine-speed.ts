import { createHash } from 'node:crypto';

/** A fixed piece of work, and the milliseconds that an idle core of 2020 needs for it. */
const work = Buffer.alloc(4_000_000);
const usualTime = 12;

/** Milliseconds for which a measurement stays valid. */
const validity = 2_000;

let measured = { at: -Infinity, slowness: 1 };

/** Factor by which this machine is now slower than an idle core of 2020; at least 1. */
export function slowness(): number {
  const now = performance.now();
  if (now - measured.at > validity) {
    createHash('sha256').update(work).digest();
    const time = performance.now() - now;
    measured = { at: performance.now(), slowness: Math.max(1, time / usualTime) };
  }
  return measured.slowness;
}

/**
 * A time limit in milliseconds, adapted to the current speed of this machine. @param quiet the limit for an idle
 * machine
 */
export function timeLimit(quiet: number): number {
  return Math.ceil(quiet * slowness());
}
