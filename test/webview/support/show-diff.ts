import type { Locator } from 'playwright-core';
import type { InspectorNotification, InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { diff, diffRows, inspectorSnapshot } from './inspector-fixtures.ts';
import type { InspectorView, Suite } from './view.ts';

/** An inspector that shows the diff of its newest compaction. */
export async function showDiff(
  suite: Suite<InspectorNotification, InspectorRequest>,
  rows: readonly DiffRowView[] = diffRows,
): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot());
  await view.notify(diff('r3', rows));
  await view.page.locator('.diff-row').first().waitFor();
  return view;
}

/** The host's answer to a request for the texts of a message. */
export function texts(messageId: string, before: string, after?: string): InspectorNotification {
  return { type: 'texts', recordId: 'r3', messageId, before, after };
}

/** Names of controls: their labels, or their content part by part. */
export function namesOf(controls: Locator): Promise<readonly string[]> {
  return controls.evaluateAll((nodes) =>
    nodes.map((node) => {
      const parts: string[] = [];
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      while (texts.nextNode() !== null) parts.push((texts.currentNode.nodeValue ?? '').trim());
      return node.getAttribute('aria-label') ?? parts.filter((part) => part !== '').join(' ');
    }),
  );
}

/** The name of what has the focus. */
export async function focusedName({ page }: InspectorView): Promise<string> {
  const [name = ''] = await namesOf(page.locator(':focus'));
  return name;
}
