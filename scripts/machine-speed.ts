import { createHash } from 'node:crypto';

/** A fixed piece of work, and the milliseconds that a quiet core of 2020 takes for it. */
const work = Buffer.alloc(4_000_000);
const usualTime = 12;

/** Milliseconds for which a measurement counts. */
const validity = 2_000;

let measured = { at: -Infinity, slowness: 1 };

/** Time that this machine takes for a piece of work at the moment, as a multiple of a quiet core's; at least 1. */
export function slowness(): number {
  const now = performance.now();
  if (now - measured.at > validity) {
    createHash('sha256').update(work).digest();
    const time = performance.now() - now;
    measured = { at: performance.now(), slowness: Math.max(1, time / usualTime) };
  }
  return measured.slowness;
}

/** A time limit in milliseconds for this machine at the moment. @param quiet the limit for a quiet machine */
export function timeLimit(quiet: number): number {
  return Math.ceil(quiet * slowness());
}
