import { css, html, type TemplateResult } from 'lit';
import { addStyles } from './component.ts';
import { styled } from './styled.ts';

/**
 * Draws a line that may be a path. The name of the file is bold and never cut; its folders are cut before it. The
 * width of the name is the property `--name`, for the least width of the element.
 *
 * @param className classes of the element around it
 */
export function pathCut(line: string, className: string): TemplateResult {
  const [, lead = '', name = '', rest = ''] =
    /^((?:\S+ )?\S*[/\\]|\S+ |)([^\s/\\]+)( · [\s\S]*)?$/u.exec(line) ?? [];
  // A pattern such as `*.json` is not a file.
  const isPath = name !== '' && !/[*?{}]/u.test(line) && (/[/\\]$/u.test(lead) || /\.\w+$/u.test(name));
  if (!isPath) return html`<span class=${className}>${line}</span>`;
  return html`<span class="${className} path-cut" ${styled({ '--name': `${name.length}ch` })}
    ><span class="path-folders">${lead}</span><span class="path-name">${name}</span>${rest}</span
  >`;
}

addStyles(css`
  /* Both are inline, so that screen readers read one word. */
  .path-folders {
    display: inline-block;
    max-width: max(2ch, calc(100% - var(--name) * var(--letter, 1.15)));
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: bottom;
    white-space: pre;
  }
  /* Bold letters of a proportional font are wider than its digits, those of a monospaced font are not. */
  .label.path-cut {
    --letter: 1;
  }
  .path-cut > .path-name {
    font-weight: 600;
  }
`);
