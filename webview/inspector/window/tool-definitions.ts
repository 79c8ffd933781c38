import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SchemaGroup, SchemasView, SchemaView } from '../../../src/protocol/inspector-budget.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { addStyles } from '../../shared/component.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { fold } from './folds.ts';

const words = inspectorTexts.schemas;

interface Switches {
  /** True if the session is the chat itself. */
  readonly canSwitch: boolean;
  readonly post: (request: InspectorRequest) => void;
}

/** The definitions of tools by server, with their tokens in requests and a switch for each tool. */
export function toolDefinitions(
  { groups, saved, rewritten }: SchemasView,
  switches: Switches,
): TemplateResult {
  const price = [
    ...(rewritten === 0 ? [] : [words.price({ tokens: rewritten })]),
    ...(saved === undefined ? [] : [words.freeOnDemand]),
  ];
  return html`<div class="tool-definitions">
    ${saved === undefined ? nothing : html`<p>${words.saved({ tokens: saved })}</p>`}
    ${repeat(
      groups,
      ({ server }) => server ?? '',
      (group) => groupTemplate(group, switches),
    )}
    ${
      !switches.canSwitch || price.length === 0
        ? nothing
        : html`<p class="dim">${price.join(inspectorTexts.betweenSentences)}</p>`
    }
  </div>`;
}

function groupTemplate(group: SchemaGroup, switches: Switches): TemplateResult {
  const { server, isOn, isOnDemand, tools, tokens } = group;
  const name = server === undefined ? words.builtIn : words.server({ name: server });
  const on = isOn ? tools.filter((tool) => tool.isOn).length : 0;
  const count = on === tools.length ? words.allOn({ all: on }) : words.on({ on, all: tools.length });
  const note = [count, ...(isOnDemand ? [words.onDemand] : []), words.tokens({ tokens })].join(' · ');
  return html`<div class="tool-group">
    ${
      server === undefined
        ? nothing
        : html`<input
            type="checkbox"
            aria-label=${words.switchServer({ name: server })}
            .checked=${isOn}
            ?disabled=${!switches.canSwitch}
            @change=${({ currentTarget }: Event) =>
              switches.post({
                type: 'switch-tool',
                server,
                isOn: (currentTarget as HTMLInputElement).checked,
              })}
          />`
    }
    ${fold({
      title: name,
      note,
      content: html`<ul aria-label=${name}>
        ${repeat(
          tools,
          (tool) => tool.name,
          (tool) => toolTemplate(tool, isOn, switches),
        )}
      </ul>`,
    })}
  </div>`;
}

function toolTemplate(tool: SchemaView, isGroupOn: boolean, { canSwitch, post }: Switches): TemplateResult {
  const { name, tokens, uses, isOn, isFixed } = tool;
  const used = uses === 0 ? words.notUsed : uses === 1 ? words.usedOnce : words.uses({ count: uses });
  return html`<li>
    <label class="tool-definition" title=${isFixed ? words.fixed : name}>
      <input
        type="checkbox"
        .checked=${isOn && isGroupOn}
        ?disabled=${!canSwitch || isFixed || !isGroupOn}
        @change=${({ currentTarget }: Event) =>
          post({ type: 'switch-tool', tool: name, isOn: (currentTarget as HTMLInputElement).checked })}
      />
      <span class="held-name">${name}</span> <span class="dim">${used}</span>
      <span class="held-tokens">${words.tokens({ tokens })}</span>
    </label>
  </li>`;
}

addStyles(css`
  .tool-definitions {
    max-width: 90ch;
    input {
      flex: none;
      margin: 0;
      accent-color: var(--vscode-button-background);
    }
  }
  .tool-group {
    display: flex;
    align-items: baseline;
    gap: 7px;
    > cb-fold {
      flex: 1;
      min-width: 0;
      margin-top: 2px;
    }
  }
  .tool-definition {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 0 7px;
    padding: 1px 0;
    font-variant-numeric: tabular-nums;
    > input {
      align-self: center;
    }
  }
`);
