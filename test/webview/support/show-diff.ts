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

/** Names of controls: their labels, or their content. */
export function namesOf(controls: Locator): Promise<readonly string[]> {
  return controls.evaluateAll((nodes) =>
    nodes.map(
      (node) =>
        node.getAttribute('aria-label') ?? (node as HTMLElement).innerText.replace(/\s+/gu, ' ').trim(),
    ),
  );
}

/** Chooses a filter of the diff in its menu. */
export async function chooseFilter({ page }: InspectorView, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitemradio', { name }).click();
}

/** The name of what has the focus. */
export async function focusedName({ page }: InspectorView): Promise<string> {
  const [name = ''] = await namesOf(page.locator(':focus'));
  return name;
}
