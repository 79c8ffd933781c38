import type { ToolRow } from '../../../src/protocol/chat-rows.ts';
import { plainButton, setAttribute } from '../../dom.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';
import { changeCounts } from './change-counts.ts';
import { changeList } from './change-list.ts';

/** What a call changed in files: beside its line where that names the only file, otherwise a list under it. */
export interface ToolChanges {
  readonly beside: HTMLElement;
  readonly below: HTMLElement;
  show(row: ToolRow): void;
}

export function toolChanges(onReview: (path: string) => void): ToolChanges {
  let path = '';
  const list = changeList(onReview);
  const counts = changeCounts({ added: 0, removed: 0 });
  const beside = plainButton({ class: 'only-change' }, () => onReview(path), counts.element);
  return {
    beside,
    below: list.element,
    show({ label, changes = [] }) {
      const [only] = changes;
      const isNamed = changes.length === 1 && only?.path === label;
      beside.hidden = !isNamed;
      list.element.hidden = isNamed || changes.length === 0;
      list.show(isNamed ? [] : changes);
      if (!isNamed) return;
      ({ path } = only);
      counts.show(only);
      setAttribute(beside, 'title', strings.reviewLabel(visibleText(path)));
    },
  };
}
