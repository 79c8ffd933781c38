import { readFileSync } from 'node:fs';

/**
 * The most memory that this process has held, in bytes. Where Linux tells it, from `/proc`: there
 * `process.resourceUsage()` also counts the memory of the process that started this one.
 */
export function mostMemory(): number {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(ownStatus()) ?? [];
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) * 1_024;
}

function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
