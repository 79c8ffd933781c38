import { html, nothing, type TemplateResult } from 'lit';
import { kinds, type RowFate } from '../../../src/protocol/engine-terms.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { fateName, kindNames } from '../../shared/compaction-words.ts';
import { iconButton, iconTemplate } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { type MenuItem, PopupMenu } from '../../shared/popup-menu.ts';
import { fateOrder, type Filter } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { passes } from './diff-lines.ts';

const words = inspectorTexts.diff;

/** Maximum number of files in the menu. A part of the path finds the others. */
const filesOffered = 30;

type Change = (filter: Filter) => void;

const onlyLost = `${words.lost.charAt(0).toUpperCase()}${words.lost.slice(1)}`;
const menu = new PopupMenu(words.filter);

/** The button with the menu of filters: by fate, kind, tool and file. */
export function filterButton(rows: readonly DiffRowView[], filter: Filter, onChange: Change): TemplateResult {
  const open = ({ currentTarget }: MouseEvent) =>
    menu.openBelow(groupsOf(rows, filter, onChange), currentTarget as HTMLElement);
  return iconButton('filter', words.filter, open, { opensMenu: true });
}

/** The filters that are on, each with a button that removes it. */
export function filterChips(filter: Filter, onChange: Change): unknown {
  const { fate, kind, tool, file, isLost } = filter;
  const chip = (label: string, without: Partial<Filter>) =>
    html`<button
      type="button"
      class="chip"
      aria-label=${words.withoutFilter({ name: label })}
      @click=${() => onChange({ ...filter, ...without })}
    >
      ${label} ${iconTemplate('drop')}
    </button>`;
  const chips = [
    ...(isLost === true ? [chip(onlyLost, { isLost: undefined })] : []),
    ...(fate === undefined ? [] : [chip(fateName(fate), { fate: undefined })]),
    ...(kind === undefined ? [] : [chip(kindNames[kind], { kind: undefined })]),
    ...(tool === undefined ? [] : [chip(tool, { tool: undefined })]),
    ...(file === undefined
      ? []
      : [
          html`<input
            type="text"
            class="field"
            spellcheck="false"
            autocomplete="off"
            placeholder=${words.partOfPath}
            aria-label=${inspectorTexts.compactionsTab.file}
            .value=${file}
            @input=${({ target }: Event) => onChange({ ...filter, file: (target as HTMLInputElement).value.trim() })}
          />`,
          chip(inspectorTexts.compactionsTab.file, { file: undefined }),
        ]),
  ];
  return chips.length === 0
    ? nothing
    : html`<div class="chips" role="group" aria-label=${words.filter}>${chips}</div>`;
}

function groupsOf(rows: readonly DiffRowView[], filter: Filter, onChange: Change) {
  const item = <Name extends keyof Filter>(
    name: Name,
    value: NonNullable<Filter[Name]>,
    label: string,
    detail?: string,
  ): MenuItem => ({
    label,
    ...(detail === undefined ? {} : { detail }),
    isChosen: filter[name] === value,
    run: () => onChange({ ...filter, [name]: filter[name] === value ? undefined : value }),
  });
  const lost = rows.reduce((count, { lostCount = 0 }) => count + lostCount, 0);
  const files = namesIn(rows, ({ files: ofRow }) => ofRow);
  return [
    {
      label: words.fate,
      items: [
        ...(lost === 0 ? [] : [item('isLost', true, onlyLost, formatCount(lost))]),
        ...fateOrder
          .filter((fate) => rows.some((row) => row.fate === fate))
          .map((fate) => item('fate', fate, fateName(fate), countOf(rows, fate))),
      ],
    },
    {
      label: words.kind,
      items: kinds
        .filter((kind) => rows.some((row) => passes(row, { kind })))
        .map((kind) => item('kind', kind, kindNames[kind])),
    },
    {
      label: inspectorTexts.compactionsTab.tool,
      items: namesIn(rows, ({ tools }) => tools).map((tool) => item('tool', tool, tool)),
    },
    {
      label: inspectorTexts.compactionsTab.file,
      items: [
        ...(files.length === 0 ? [] : [item('file', '', words.partOfPath)]),
        ...files.slice(0, filesOffered).map((file) => item('file', file, file)),
      ],
    },
  ];
}

/** Names without duplicates, in alphabetical order. */
function namesIn(
  rows: readonly DiffRowView[],
  namesOf: (row: DiffRowView) => readonly string[] | undefined,
): readonly string[] {
  return [...new Set(rows.flatMap((row) => namesOf(row) ?? []))].toSorted();
}

/** Number of messages with a fate; for summaries, also the number of summaries. */
function countOf(rows: readonly DiffRowView[], fate: RowFate): string {
  const ofFate = rows.filter((row) => row.fate === fate);
  if (fate === 'insert' || fate === 'restore') return formatCount(ofFate.length);
  const count = formatCount(ofFate.reduce((total, { sourceCount }) => total + sourceCount, 0));
  return fate === 'summarise' ? inspectorTexts.fromTo({ before: count, after: ofFate.length }) : count;
}
