import type { Message, ReportedUsage } from '../message.ts';

/** What a provider last reported of a request, so that only what came after it has to be counted. */
export class ReportedSize {
  private last: { readonly tokens: number; readonly lastId: string | undefined } | undefined;

  /** @param lastId the message after which the request was made */
  note(usage: ReportedUsage, lastId: string | undefined): void {
    this.last = { tokens: usage.inputTokens + usage.outputTokens, lastId };
  }

  /** The view is another one now. */
  forget(): void {
    this.last = undefined;
  }

  /** The reported size and the messages it does not hold; undefined where the report says nothing of this view. */
  within(
    view: readonly Message[],
  ): { readonly tokens: number; readonly since: readonly Message[] } | undefined {
    const { last } = this;
    const index = last === undefined ? -1 : view.findIndex((message) => message.id === last.lastId);
    return last === undefined || index < 0
      ? undefined
      : { tokens: last.tokens, since: view.slice(index + 1) };
  }
}
