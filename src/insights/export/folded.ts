import { escapeHtml } from './escape-html.ts';

/**
 * A part of a Markdown document that is closed until somebody opens it.
 *
 * @param title text, on one line
 * @param blocks Markdown that holds no tags
 */
export function folded(title: string, blocks: readonly string[]): string {
  const summary = escapeHtml(title.replace(/\s+/gu, ' '));
  return [`<details><summary>${summary}</summary>`, ...blocks, '</details>'].join('\n\n');
}
