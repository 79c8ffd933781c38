import type { ShardView } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../../dom.ts';
import { icon, type IconName } from '../../icons.ts';
import { strings } from '../strings.ts';
import { tokenWords } from './token-words.ts';

const words = strings.shards;

const stateIcons = {
  waiting: 'waiting',
  running: 'running',
  done: 'keep',
  failed: 'error',
  stopped: 'interrupted',
  skipped: 'hide',
} as const satisfies Record<ShardView['state'], IconName>;

/** The sub-agents of a call, each a way to its transcript once it has begun. */
export interface ShardList {
  readonly element: HTMLElement;
  show(shards: readonly ShardView[]): void;
}

export function shardList(onOpen: (sessionId: string) => void): ShardList {
  const root = element('ul', { class: 'shards', 'aria-label': words.list, 'aria-live': 'off' });
  const shards = new KeyedList<ShardView>(root, {
    keyOf: ({ name }) => name,
    create: (shard) => shardView(shard, onOpen),
  });
  return { element: root, show: (next) => shards.render(next) };
}

function shardView(shard: ShardView, onOpen: (sessionId: string) => void): ItemView<ShardView> {
  let { sessionId } = shard;
  const state = element('span', { class: 'shard-state' });
  const tokens = element('span', { class: 'tool-tokens' });
  const note = element('span', { class: 'shard-note' });
  const button = plainButton(
    { class: 'shard' },
    () => onOpen(sessionId),
    element('b', {}, shard.name),
    state,
    tokens,
    note,
  );
  const update = (next: ShardView) => {
    ({ sessionId } = next);
    button.disabled = sessionId === '';
    setAttribute(button, 'title', button.disabled ? next.task : `${words.open(next.name)}: ${next.task}`);
    state.className = `shard-state is-${next.state}`;
    state.replaceChildren(icon(stateIcons[next.state]), words.states[next.state]);
    tokens.replaceChildren(...(next.tokens === 0 ? [] : tokenWords(next.tokens)));
    setText(note, noteOf(next));
    note.hidden = note.textContent === '';
  };
  update(shard);
  return { element: element('li', {}, button), update };
}

/** What a sub-agent builds on, and what it is at. */
function noteOf({ note, dependsOn }: ShardView): string {
  const after = dependsOn.length === 0 ? [] : [words.after(dependsOn.join(', '))];
  return [...after, ...(note === '' ? [] : [note])].join(' · ');
}
