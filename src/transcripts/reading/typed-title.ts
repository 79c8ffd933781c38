import { isPrompt, type Message, textOf, typedText } from '../../compaction/messages/message.ts';
import {
  type AgentFrames,
  ownWords,
  type SaidPart,
  typedRangesOf,
} from '../../compaction/messages/typed-parts.ts';
import { visibleText, withPlainLineEnds } from '../../compaction/quoting/visible-text.ts';
import { headOf } from '../../compaction/text/clip.ts';

const commandName = /<command-name>\s*(?<name>\/?[^<\s]+)\s*<\/command-name>/u;

/** A text with the user role in an agent's file, whole or in parts. */
type Said = string | readonly SaidPart[];

/** Returns a title from the first text with typed words, or else from the first command with a name. */
export function firstTitle(said: readonly Said[], frames?: AgentFrames): string | undefined {
  return (
    said.map((one) => typedTitle(one, frames)).find((title) => title !== undefined) ??
    said.map((one) => commandIn(joined(one))?.name).find((name) => name !== undefined)
  );
}

/**
 * Returns the typed words in a text with the user role, without the agent's additions. For a command of the agent,
 * returns its name and the text typed after it.
 *
 * @returns undefined for text written by a program, and for a command that only controls the agent
 */
export function typedTitle(said: Said, frames?: AgentFrames): string | undefined {
  const text = joined(said);
  const own = ownTitle(text);
  if (own !== undefined) return own === '' ? undefined : own;
  const words = typedRangesOf(typeof said === 'string' ? [{ text }] : said, frames)
    .map(({ start, end }) => text.slice(start, end))
    .join('\n');
  return words === '' ? undefined : words;
}

function joined(said: Said): string {
  return typeof said === 'string' ? said : said.map(({ text }) => text).join('\n');
}

/**
 * Returns the command of the agent or the shell in a text; an empty string for a command that only controls the agent
 * (`/clear`). Commands with a text for the model begin differently.
 *
 * @returns undefined for other texts
 */
function ownTitle(text: string): string | undefined {
  const command = commandIn(text);
  const isPrompt = text.trimStart().startsWith('<command-message>');
  if (command !== undefined) {
    return command.typed === '' && !isPrompt ? '' : `${command.name} ${command.typed}`.trim();
  }
  const shell = text.trimStart().startsWith('<bash-input>') ? textIn(text, 'bash-input') : undefined;
  return shell === undefined ? undefined : `! ${shell}`;
}

/** Returns the words of a message for people, without tags at their beginning; for a command, its name and typed text. */
export function shownWords(message: Message): string {
  const text = textOf(message.content);
  if (message.kind === 'reminder')
    return commandIn(text)?.name ?? text.replace(/^(?:\s*<[a-z][\w-]*>)+\s*/u, '');
  return (message.typed === undefined ? undefined : ownTitle(text)) ?? typedText(message);
}

function commandIn(text: string): { readonly name: string; readonly typed: string } | undefined {
  const name = /^\s*<command-/.test(text) ? commandName.exec(text)?.groups?.['name'] : undefined;
  return name === undefined ? undefined : { name, typed: textIn(text, 'command-args') ?? '' };
}

/** Returns the trimmed content of the first element with this name; undefined if it is missing or not closed. */
function textIn(text: string, tag: string): string | undefined {
  const opening = `<${tag}>`;
  const start = text.indexOf(opening);
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start + opening.length);
  return end < 0 ? undefined : text.slice(start + opening.length, end).trim();
}

/** Maximum characters of a title, so that it fits into a row of the chat list. */
const longestTitle = 60;

/** Derives a title from a text: its first line, truncated if long, without hidden characters. */
export function titleOf(text: string): string {
  const line = visibleText(withPlainLineEnds(text).trim().split('\n', 1)[0] ?? '');
  return line.length <= longestTitle ? line : `${headOf(line, longestTitle - 1).trimEnd()}…`;
}

/**
 * Returns the name of a session, from the first typed message or from the task of a sub-agent.
 *
 * @param otherwise the name if no message was typed
 */
export function sessionName(messages: readonly Message[], otherwise: string): string {
  let command: string | undefined;
  for (const message of messages) {
    if (message.role !== 'user' || message.kind !== undefined) continue;
    const text = textOf(message.content);
    const words = (ownTitle(text) ?? (isPrompt(message) ? ownWords(message) : '')).trim();
    if (words !== '') return titleOf(words);
    command ??= commandIn(text)?.name;
  }
  return command === undefined ? otherwise : titleOf(command);
}

/** Derives a title from the first typed text; undefined if a program wrote all texts. */
export function titleOfTexts(texts: readonly string[]): string | undefined {
  const title = firstTitle(texts);
  return title === undefined ? undefined : titleOf(title);
}
