import type { DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { Diff, type DiffOptions } from './diff.ts';
import { noDiffData, receiveDiff } from './diff-data.ts';
import type { DiffSubject } from './diff-head.ts';

/** A diff that keeps its own data, for tabs without a slice of the page's state. */
export class DiffView {
  readonly element = new Diff();
  readonly recordId: string;
  private readonly subject: DiffSubject;
  private readonly options: DiffOptions;
  private data = noDiffData;

  constructor(subject: DiffSubject, options: DiffOptions) {
    this.recordId = subject.id;
    this.subject = subject;
    this.options = options;
    this.show();
  }

  /** True if this diff belongs to a record in its current state. After an undo, nothing can be restored. */
  isFor({ id, isUndone }: RecordView): boolean {
    return id === this.subject.id && isUndone === this.subject.isUndone;
  }

  request(): void {
    this.options.post({ type: 'diff', recordId: this.recordId });
  }

  receive(answer: DiffNotification): void {
    this.data = receiveDiff(this.data, answer);
    this.show();
  }

  step(by: 1 | -1): void {
    this.element.stepBy(by);
  }

  handleKey(event: KeyboardEvent): void {
    this.element.handleKey(event);
  }

  find(name: string): void {
    this.element.find(name);
  }

  private show(): void {
    this.element.props = { ...this.options, subject: this.subject, data: this.data };
  }
}
