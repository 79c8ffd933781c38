import type { ChatRequest, CommandView, Completion, CompletionTrigger } from '../../../src/protocol/chat.ts';
import { freshId } from '../../shared/component.ts';
import { isForInputMethod } from '../../shared/keyboard.ts';
import type { ShownCompletion } from './completion-list.ts';

/** Milliseconds without typing before the host is asked. */
const pause = 60;

/** Keys that move the cursor away from the word. */
const leavingKeys: ReadonlySet<string> = new Set([
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]);

interface Answer {
  readonly trigger: CompletionTrigger;
  readonly items: readonly Completion[];
}

interface CompleterOptions {
  /** Returns the field that the user types in. */
  readonly field: () => HTMLTextAreaElement;
  readonly commands: () => readonly CommandView[];
  readonly post: (request: ChatRequest) => void;
  /** Called when other items are shown, or another one is active. */
  readonly onChange: () => void;
}

/** Completes commands, paths and references to the editor while the user types. Only commands are known to the page. */
export class Completer {
  items: readonly ShownCompletion[] = [];
  private readonly options: CompleterOptions;
  private activeIndex = 0;
  private word: OpenWord | undefined;
  /** Position of the word whose suggestions the user dismissed. */
  private dismissed: number | undefined;
  private answer: Answer | undefined;
  private timer: number | undefined;

  constructor(options: CompleterOptions) {
    this.options = options;
  }

  get active(): ShownCompletion | undefined {
    return this.items[this.activeIndex];
  }

  /** Finds the word that the user is typing. */
  typed(): void {
    const { value, selectionStart, selectionEnd } = this.options.field();
    const word = selectionStart === selectionEnd ? completionAt(value, selectionStart) : undefined;
    if (word?.start !== this.dismissed) this.dismissed = undefined;
    if (word === undefined || this.dismissed !== undefined) {
      this.close();
      return;
    }
    this.word = word;
    const { trigger, query } = word;
    if (trigger === '/' && !/\s/.test(query)) {
      this.answer = { trigger, items: commandsLike(this.options.commands(), query) };
      window.clearTimeout(this.timer);
      this.showAnswer();
      return;
    }
    if (trigger === '/' && !this.takesArgument(query)) {
      this.close();
      return;
    }
    this.showAnswer();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.options.post({ type: 'complete', trigger, query }), pause);
  }

  /** Shows the host's answer, unless it is for outdated text. */
  receive(trigger: CompletionTrigger, query: string, items: readonly Completion[]): void {
    if (this.word?.trigger !== trigger || this.word.query !== query) return;
    this.answer = { trigger, items };
    this.show(items);
  }

  /** @returns true if the key was meant for the list */
  keyPressed(event: KeyboardEvent): boolean {
    if (this.items.length === 0 || isForInputMethod(event)) return false;
    const { key } = event;
    if (leavingKeys.has(key)) this.close();
    else if (key === 'ArrowDown' || key === 'ArrowUp') this.move(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Escape') {
      this.dismissed = this.word?.start;
      this.close();
    } else if (event.shiftKey || event.altKey || !(key === 'Enter' || key === 'Tab')) return false;
    else if (key === 'Enter' && this.isTyped(this.active)) {
      this.close();
      return false;
    } else this.take(this.active);
    return !leavingKeys.has(key);
  }

  close(): void {
    window.clearTimeout(this.timer);
    this.word = undefined;
    this.answer = undefined;
    this.show([]);
  }

  /** Shows the items of the last answer that still match, until the host answers. */
  private showAnswer(): void {
    const { word, answer } = this;
    const isSame = word !== undefined && answer?.trigger === word.trigger;
    this.show(isSame ? answer.items.filter(({ insert }) => isLike(insert, word.query)) : []);
  }

  /** Shows items and activates the first one. */
  private show(items: readonly Completion[]): void {
    const isSame =
      items.length === this.items.length &&
      items.every(({ insert }, index) => insert === this.items[index]?.insert);
    if (isSame) return;
    this.items = items.map((item) => ({ ...item, id: freshId() }));
    this.activate(0);
  }

  /** @param step to the next or the previous item; continues at the other end */
  private move(step: 1 | -1): void {
    this.activate((this.activeIndex + step + this.items.length) % this.items.length);
  }

  private activate(index: number): void {
    this.activeIndex = index;
    this.options.onChange();
  }

  private takesArgument(query: string): boolean {
    return this.options.commands().some(({ name, hint }) => hint !== '' && query.startsWith(`${name} `));
  }

  private isTyped(item: Completion | undefined): boolean {
    if (item === undefined || this.word === undefined) return false;
    const { start, end } = this.word;
    return item.insert.trimEnd() === this.options.field().value.slice(start, end).trimEnd();
  }

  /** Replaces the word with an item. */
  readonly take = (item: Completion | undefined): void => {
    const { word } = this;
    if (item === undefined || word === undefined) return;
    const input = this.options.field();
    const goesOn = word.trigger === '/' || /[/\s]"?$/.test(item.insert);
    const isFollowed = /^\s/.test(input.value.slice(word.end, word.end + 1));
    this.close();
    input.setSelectionRange(word.start, word.end);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other way keeps the user's undo
    document.execCommand('insertText', false, goesOn || isFollowed ? item.insert : `${item.insert} `);
  };
}

function commandsLike(commands: readonly CommandView[], query: string): readonly Completion[] {
  return commands
    .filter(({ name }) => name.startsWith(query.toLowerCase()))
    .map(({ name, hint, sentence }) => ({
      label: hint === '' ? `/${name}` : `/${name} ${hint}`,
      detail: sentence,
      insert: hint === '' ? `/${name}` : `/${name} `,
    }));
}

/** True if a text has all characters of the query, in the same order. */
function isLike(text: string, query: string): boolean {
  const searched = text.toLowerCase();
  let from = 0;
  for (const character of query.toLowerCase()) {
    const found = searched.indexOf(character, from);
    if (found < 0) return false;
    from = found + character.length;
  }
  return true;
}

/** A typed word that can be completed. Positions are in UTF-16 units. */
interface OpenWord {
  readonly trigger: CompletionTrigger;
  /** Position of the word's sign. */
  readonly start: number;
  /** Position of the cursor. Text after the cursor is not part of the word. */
  readonly end: number;
  /** The text after the sign, without a quote. */
  readonly query: string;
}

/** A word with its sign. A sign after letters or digits, as in addresses and decorators, does not begin a word. */
const reference =
  /(?<![\p{Script=Latin}\p{N}_.+\-/@#&])(?<sign>[@#])(?:"(?<quoted>[^"\n]*)|(?<plain>[^\s"'\x60<>|*?@#]*))$/u;
/** Maximum number of characters examined before the cursor; longer than any typed path. */
const longestWord = 500;

/** The word before the cursor, or undefined if none can be completed. */
function completionAt(text: string, cursor: number): OpenWord | undefined {
  const from = Math.max(0, cursor - longestWord);
  const before = text.slice(from, cursor);
  const found = reference.exec(before);
  if (found !== null) {
    const { sign = '@', quoted, plain = '' } = found.groups ?? {};
    const trigger = sign === '#' ? '#' : '@';
    return { trigger, start: from + found.index, end: cursor, query: quoted ?? plain };
  }
  // A command must be the whole text, and its completion replaces the whole text.
  const isCommand = from === 0 && cursor === text.length && /^\/[^\n/]*$/.test(before);
  return isCommand ? { trigger: '/', start: 0, end: cursor, query: before.slice(1) } : undefined;
}
