/**
 * How far a command can get, from the least to the most: in the sandbox; in the sandbox, with the network; as far as
 * the person who is asked.
 */
export const commandReaches = ['sandbox', 'network', 'everything'] as const;

export type CommandReach = (typeof commandReaches)[number];

/** Why there is no choice: it is switched off, none works here, or the workspace has the home folder in it. */
export type NoSandbox = 'off' | 'missing' | 'home';

/** The terms on which a command would run, for a person to judge. */
export interface CommandTerms {
  /** What is asked for. A person can allow another one where there is a sandbox. */
  readonly reach: CommandReach;
  readonly withoutSandbox?: NoSandbox | undefined;
  /** What the network is needed for, as the model says. */
  readonly networkReason?: string | undefined;
}

/**
 * Whether a rule allows a command to get as far as is asked.
 *
 * @param allowed undefined for a rule that was made where there was no sandbox: inside one it allows the least
 * @param terms undefined for what is no command
 */
export function reachesAsFar(allowed: CommandReach | undefined, terms: CommandTerms | undefined): boolean {
  if (terms === undefined) return allowed === undefined;
  if (allowed === undefined) return terms.withoutSandbox !== undefined || terms.reach === 'sandbox';
  return isAtLeast(allowed, terms.reach);
}

export function isAtLeast(reach: CommandReach, other: CommandReach): boolean {
  return commandReaches.indexOf(reach) >= commandReaches.indexOf(other);
}
