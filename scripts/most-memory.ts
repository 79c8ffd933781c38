import { readFileSync } from 'node:fs';

/**
 * Maximum memory that this process has used, in bytes. On Linux, it is read from `/proc`, because
 * `process.resourceUsage()` includes memory of the parent process there.
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
