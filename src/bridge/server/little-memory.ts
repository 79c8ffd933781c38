import { setFlagsFromString } from 'node:v8';

/**
 * Makes this process use less memory from now on, and a little more time. By default, V8 reserves up to a hundred
 * megabytes for new values while it reads a session.
 */
export function takeLittleMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
