/** A text of a row that is not on the page before somebody opens it. */
export interface FoldedText {
  /** Empty where it is open. */
  text(): string;
  unfold(): void;
}
