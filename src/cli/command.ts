/** What a command gets and where it writes. Everything a person reads goes to stderr when `--json` is given. */
export interface Io {
  /** Writes to stdout. */
  readonly print: (text: string) => void;
  /** Writes to stderr. */
  readonly note: (text: string) => void;
  /** Aborted when the person interrupts the program. */
  readonly signal: AbortSignal;
}

/** 0: done. 1: refused or failed, with the reason. 2: bad usage. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  readonly name: string;
  /** The arguments, as a line of help. */
  readonly synopsis: string;
  /** One sentence. */
  readonly summary: string;
  /** @throws {UsageError} for arguments or files it cannot use */
  run(args: readonly string[], io: Io): Promise<ExitCode>;
}

/** Bad usage: one line that says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text on one line, without anything that a terminal would act on or that would turn it around. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}
