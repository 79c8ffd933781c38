import type { BoundedOutput } from './bounded-output.ts';
import { EscapeStripper } from './escape-stripper.ts';
import { ProgressLines, ShownLines } from './progress-lines.ts';
import { Redactor, secretsOf } from './redact.ts';

/**
 * What a command puts out on its way to where it is seen. Secrets go first, in the order in which both streams
 * arrive, so that nothing behind ever has one.
 */
export class CommandOutput {
  private readonly strippers = { stdout: new EscapeStripper(), stderr: new EscapeStripper() };
  private readonly redactor: Redactor;
  private readonly progress = new ProgressLines();
  private readonly shown = new ShownLines();
  private readonly kept: BoundedOutput;
  private readonly show: (text: string) => void;

  /** @param environment whose secrets are not shown */
  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    kept: BoundedOutput,
    show: (text: string) => void,
  ) {
    this.redactor = new Redactor(secretsOf(environment));
    this.kept = kept;
    this.show = show;
  }

  push(stream: 'stdout' | 'stderr', text: string): void {
    this.take(this.redactor.push(this.strippers[stream].push(text)));
  }

  end(): void {
    this.take(this.redactor.end());
    this.kept.push(this.progress.end());
  }

  private take(text: string): void {
    if (text === '') return;
    this.kept.push(this.progress.push(text));
    const more = this.shown.push(text);
    if (more !== '') this.show(more);
  }
}
