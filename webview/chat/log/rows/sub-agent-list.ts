import type { SubAgentView } from '../../../../src/protocol/chat-rows.ts';
import {
  element,
  type ItemView,
  KeyedList,
  plainButton,
  setAttribute,
  setText,
} from '../../../shared/dom.ts';
import { icon, type IconName } from '../../../shared/icons.ts';
import { strings } from '../../text/chat-strings.ts';
import { tokenWords } from './row-parts.ts';

const words = strings.subAgents;

const stateIcons = {
  waiting: 'waiting',
  running: 'running',
  done: 'keep',
  failed: 'error',
  stopped: 'interrupted',
  skipped: 'hide',
} as const satisfies Record<SubAgentView['state'], IconName>;

/** The sub-agents of a call. Each has a link to its transcript when it has begun. */
export interface SubAgentList {
  readonly element: HTMLElement;
  show(subAgents: readonly SubAgentView[]): void;
}

export function subAgentList(onOpen: (sessionId: string) => void): SubAgentList {
  const root = element('ul', { class: 'sub-agents', 'aria-label': words.list, 'aria-live': 'off' });
  const subAgents = new KeyedList<SubAgentView>(root, {
    keyOf: ({ name }) => name,
    create: (subAgent) => subAgentView(subAgent, onOpen),
  });
  return { element: root, show: (next) => subAgents.render(next) };
}

function subAgentView(subAgent: SubAgentView, onOpen: (sessionId: string) => void): ItemView<SubAgentView> {
  let { sessionId } = subAgent;
  const state = element('span', { class: 'sub-agent-state' });
  const tokens = element('span', { class: 'tool-tokens' });
  const note = element('span', { class: 'sub-agent-note' });
  const button = plainButton(
    { class: 'sub-agent' },
    () => onOpen(sessionId),
    element('b', {}, subAgent.name),
    state,
    tokens,
    note,
  );
  const update = (next: SubAgentView) => {
    ({ sessionId } = next);
    button.disabled = sessionId === '';
    setAttribute(
      button,
      'title',
      button.disabled ? next.task : `${words.open({ name: next.name })}: ${next.task}`,
    );
    state.className = `sub-agent-state is-${next.state}`;
    state.replaceChildren(icon(stateIcons[next.state]), words.states[next.state]);
    tokens.replaceChildren(...(next.tokens === 0 ? [] : tokenWords(next.tokens)));
    setText(note, noteOf(next));
    note.hidden = note.textContent === '';
  };
  update(subAgent);
  return { element: element('li', {}, button), update };
}

/** The sub-agents for which this one waits, and its current step. */
function noteOf({ note, dependsOn }: SubAgentView): string {
  const after = dependsOn.length === 0 ? [] : [words.after({ names: dependsOn.join(', ') })];
  return [...after, ...(note === '' ? [] : [note])].join(' · ');
}
