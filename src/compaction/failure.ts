import type { Reason, ReasonCode, Tier } from './record.ts';

/** A compaction that cannot go on, with a reason fit for the record. */
export class CompactionFailure extends Error {
  override readonly name = 'CompactionFailure';
  readonly code: ReasonCode;
  /** The steps that were tried before, where there were several. */
  readonly tiers: readonly Tier[];

  constructor(
    code: ReasonCode,
    message: string,
    options: { readonly cause?: unknown; readonly tiers?: readonly Tier[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.tiers = options.tiers ?? [];
  }

  get reason(): Reason {
    return { code: this.code, message: this.message };
  }
}

/** Text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
