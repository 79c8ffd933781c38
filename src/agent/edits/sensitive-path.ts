import { isOrdinaryFile } from './ordinary-file.ts';
import { isSecretPath } from './secret-path.ts';

/** `secret`: it may hold one. `powerful`: tools, shells, git, editors or agents may run or obey it. */
export type Sensitivity = 'secret' | 'powerful';

/**
 * Tells why an edit of a file has to be looked at each time; undefined for source texts and documents, which a rule
 * can cover.
 */
export function sensitivityOf(shown: string): Sensitivity | undefined {
  if (isSecretPath(shown)) return 'secret';
  return isOrdinaryFile(shown) ? undefined : 'powerful';
}
