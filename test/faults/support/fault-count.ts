/** A row of the table of faults. */
export interface FaultRow {
  /** Number of attempts. */
  readonly tries: number;
  /** Number of attempts that did harm. */
  readonly harmed: number;
  /** Note printed next to the numbers. */
  readonly note?: string;
}

/** Counts the attempts of one fault test. */
export class FaultCount {
  private attempts = 0;
  private readonly effects: string[] = [];
  private said: string | undefined;
  private reason: string | undefined;

  /** Number of attempts so far. */
  get tries(): number {
    return this.attempts;
  }

  /** The effect of each harmful attempt. */
  get harm(): readonly string[] {
    return this.effects;
  }

  /** The reason why this machine cannot try it. */
  get skipped(): string | undefined {
    return this.reason;
  }

  get row(): FaultRow {
    const note = this.reason === undefined ? this.said : `skipped: ${this.reason}`;
    return { tries: this.attempts, harmed: this.effects.length, ...(note === undefined ? {} : { note }) };
  }

  /** Counts attempts. */
  tried(attempts = 1): void {
    this.attempts += attempts;
  }

  /** Counts one harmful attempt. */
  harmed(how: string): void {
    this.effects.push(how);
  }

  /** Shows a remark in the table, such as the largest measured memory. */
  note(text: string): void {
    this.said = text;
  }

  /** The machine cannot try this. */
  skip(reason: string): void {
    this.reason = reason;
  }
}
