import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EditsRow, FileChangeView, ToolRow } from '../../../../src/protocol/chat-rows.ts';
import { listed } from '../../../shared/compaction-words.ts';
import { addStyles } from '../../../shared/component.ts';
import { linkButton } from '../../../shared/link-button.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import type { RowContext } from './row-element.ts';
import { keyOf } from './row-parts.ts';

/** The files that a turn changed, each with a link to its diff, and a button to undo the changes. */
export function editsRow(row: EditsRow, { post }: RowContext): TemplateResult {
  const { id, files, isUndone } = row;
  return html`<div class="row edits ${isUndone ? 'is-undone' : ''}" data-key=${keyOf(row)}>
    <div class="edits-head">
      <span>${strings.filesChanged({ count: files.length })}</span>
      ${changeCounts(sumOf(files))}
      ${
        isUndone
          ? html`<span>${strings.editsUndone}</span>`
          : linkButton(strings.undoEdits, () => post({ type: 'undo-edits', id }), { class: 'changes-chat' })
      }
    </div>
    ${changeList(files, (path) => post({ type: 'review', id, path }))}
  </div>`;
}

/** The files that a call changed: next to its line if the line names the only file, otherwise in a list below it. */
export function toolChanges(
  { id, label, changes = [] }: ToolRow,
  { post }: RowContext,
): { readonly beside: unknown; readonly below: unknown } {
  const onReview = (path: string) => post({ type: 'review', id, path });
  const [only] = changes;
  if (changes.length !== 1 || only?.path !== label)
    return { beside: nothing, below: changes.length === 0 ? nothing : changeList(changes, onReview) };
  const beside = html`<button
    type="button"
    class="only-change"
    title=${strings.reviewLabel({ path: revealed(only.path) })}
    @click=${() => onReview(only.path)}
  >
    ${changeCounts(only)}
  </button>`;
  return { beside, below: nothing };
}

type ChangedFile = Omit<FileChangeView, 'diff'>;

/** A list of changed files with their changes. Each file has a link to the diff editor. */
function changeList(files: readonly ChangedFile[], onReview: (path: string) => void): TemplateResult {
  return html`<ul class="changes" aria-label=${strings.changedFiles}>
    ${repeat(
      files,
      ({ path }) => path,
      (file) => {
        const path = revealed(file.path);
        return html`<li>
          <button
            type="button"
            class="change"
            title=${strings.reviewLabel({ path })}
            @click=${() => onReview(file.path)}
          >
            <span class="change-path code-line">${path}</span> ${changeWord(file)} ${changeCounts(file)}
          </button>
        </li>`;
      },
    )}
  </ul>`;
}

/** The word for a new or deleted file. */
export function changeWord({ change }: ChangedFile): TemplateResult | typeof nothing {
  const word = strings.changes[change];
  return word === '' ? nothing : html`<span class="change-word">${word}</span>`;
}

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Counts such as `+3 −2`, with words for screen readers. */
export function changeCounts({ added, removed }: LineCounts): TemplateResult {
  const hasAdded = added > 0 || removed === 0;
  const spoken = [
    ...(hasAdded ? [strings.linesAdded({ count: added })] : []),
    ...(removed > 0 ? [strings.linesRemoved({ count: removed })] : []),
  ];
  return html`<span class="counts"
    ><span aria-hidden="true"
      >${hasAdded ? html`<span class="added">${strings.added({ count: added })}</span>` : nothing}
      ${removed > 0 ? html`<span class="removed">${strings.removed({ count: removed })}</span>` : nothing}</span
    ><span class="spoken">${listed(spoken)}</span></span
  >`;
}

function sumOf(files: readonly LineCounts[]): LineCounts {
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/**
 * The lines of a unified diff without headers. Consecutive lines of one kind are one element, and the signs are part
 * of the text.
 */
export function fileDiff(diff: string): TemplateResult {
  const runs: { readonly mark: string; readonly lines: string[] }[] = [];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const mark = line.startsWith('@@') ? '@' : line.charAt(0);
    const run = runs.at(-1);
    if (mark !== '@' && run?.mark === mark) run.lines.push(line);
    else if (mark !== '@' || run !== undefined) runs.push({ mark, lines: [line] });
  }
  return html`<div class="diff-lines">
    ${runs.map(({ mark, lines }) => {
      if (mark === '@') return html`<span class="diff-gap">⋯</span>`;
      const text = revealed(lines.join('\n'));
      if (mark === '+') return html`<ins .textContent=${text}></ins>`;
      return mark === '-' ? html`<del .textContent=${text}></del>` : html`<span .textContent=${text}></span>`;
    })}
  </div>`;
}

/** Number of added and removed lines in a diff. The diff may be cut off. */
export function shownChanges(diff: string): number {
  return diff.split('\n').filter((line) => line.startsWith('+') || line.startsWith('-')).length;
}

addStyles(css`
  body {
    --added: var(--vscode-gitDecoration-addedResourceForeground, var(--green));
    --removed: var(--vscode-gitDecoration-deletedResourceForeground, var(--red));
  }

  .counts {
    flex: none;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  .added {
    color: color-mix(in srgb, var(--added) 65%, var(--fg));
  }

  .removed {
    color: color-mix(in srgb, var(--removed) 80%, var(--fg));
  }

  body.vscode-high-contrast :is(.added, .removed) {
    color: var(--fg);
  }

  .change-word {
    flex: none;
    font-style: italic;
  }

  .change-word:empty {
    display: none;
  }

  .change {
    display: flex;
    align-items: baseline;
    gap: 7px;
    max-width: 100%;
    padding: 1px 0;
    color: var(--dim);
  }

  .change:hover {
    color: var(--fg);
  }

  .change:hover .change-path {
    text-decoration: underline;
  }

  .tool > .changes {
    margin: 0 0 3px 16px;
  }

  .diff-lines {
    padding-bottom: 5px;
    font-family: var(--mono);
    font-size: var(--mono-size);
    line-height: 1.4;
  }

  .diff-lines > * {
    display: block;
    padding-inline: 8px;
    text-decoration: none;
    white-space: pre-wrap;
  }

  .diff-lines > ins {
    background: var(
      --vscode-diffEditor-insertedTextBackground,
      color-mix(in srgb, var(--green) 18%, transparent)
    );
  }

  .diff-lines > del {
    background: var(
      --vscode-diffEditor-removedTextBackground,
      color-mix(in srgb, var(--red) 18%, transparent)
    );
  }

  body.vscode-high-contrast .diff-lines > :is(ins, del) {
    margin-inline: 2px;
    padding-inline: 6px;
    background: none;
    outline: 1px solid var(--vscode-diffEditor-insertedTextBorder, var(--line));
    outline-offset: -1px;
  }

  body.vscode-high-contrast .diff-lines > del {
    outline: 1px dashed var(--vscode-diffEditor-removedTextBorder, var(--line));
  }

  .diff-gap {
    color: var(--dim);
  }

  .edits {
    margin: 8px 0 10px;
    padding: 5px 10px;
    border: 1px solid var(--line);
    border-radius: 8px;
    color: var(--dim);
  }

  .edits-head {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 0 8px;
  }

  .edits-head > .link {
    margin-inline-start: auto;
  }

  .edits.is-undone :is(.changes, .counts) {
    opacity: 0.75;
  }

  .edits .changes {
    max-height: 11em;
    overflow: hidden auto;
  }
`);
