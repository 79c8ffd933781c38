import { escapeTags } from './serialise.ts';

const opening = '<conversation_summary>';
const closing = '</conversation_summary>';

/** The text of the message that takes the place of what was summarised. */
export function summaryText(summary: string): string {
  return `${opening}\n${summary.replaceAll(closing, escapeTags(closing))}\n${closing}`;
}

/** Recognises such a text, for a view that was exported and imported again. */
export function isSummaryText(text: string): boolean {
  return text.startsWith(`${opening}\n`) && text.endsWith(`\n${closing}`);
}

/** What stands between the tags; the whole text where there are none. */
export function withoutSummaryTags(text: string): string {
  return isSummaryText(text) ? text.slice(opening.length, -closing.length).trim() : text;
}
