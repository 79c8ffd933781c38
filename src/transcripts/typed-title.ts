import { isTyped, type Message, textOf } from '../compaction/messages/message.ts';
import { headOf } from '../compaction/text/clip.ts';

/** Openings of what programs write in the person's name, without a word of the person in it. */
const programOpening =
  /^(?:<[a-z]+[-_][\w-]+[\s>]|<INSTRUCTIONS>|# AGENTS\.md instructions|Caveat: |\[Request interrupted|This session is being continued from)/;
/** Tags that programs put around typed text. */
const typedTag = /^<(?<tag>task|feedback|answer|user_message|user_query|user_input)>/u;
/** Elements that programs put before it, whole. */
const leadingElement = /^<(?<tag>[a-z][\w-]*)(?:\s[^<>]*)?>[^]*?<\/\k<tag>>\s*/u;
const commandName = /<command-name>\s*(?<name>\/?[^<\s]+)\s*<\/command-name>/u;
/** Elements that are all that a program says with them. */
const wholeMessages: ReadonlySet<string | undefined> = new Set([
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'turn_aborted',
]);

/** A title from the first text with a word of the person in it, else from the first command that has a name. */
export function firstTitle(texts: readonly string[]): string | undefined {
  return (
    texts.map(typedTitle).find((title) => title !== undefined) ??
    texts.map((text) => commandIn(text)?.name).find((name) => name !== undefined)
  );
}

/**
 * Words that a person typed in a text that an agent's file has in their name, without the tags around and before it. A
 * command of the agent is its name and what was typed after it.
 *
 * @returns undefined for text written by a program, and for a command without arguments
 */
export function typedTitle(text: string): string | undefined {
  let rest = text.trim();
  const command = commandIn(rest);
  if (command !== undefined) return command.typed === '' ? undefined : `${command.name} ${command.typed}`;
  const shell = rest.startsWith('<bash-input>') ? textIn(rest, 'bash-input') : undefined;
  if (shell !== undefined) return `! ${shell}`;
  for (;;) {
    const tag = typedTag.exec(rest)?.groups?.['tag'];
    const typed = tag === undefined ? '' : (textIn(rest, tag) ?? rest.slice(`<${tag}>`.length).trim());
    if (typed !== '') return typed;
    const element = leadingElement.exec(rest);
    if (element === null || wholeMessages.has(element.groups?.['tag'])) break;
    rest = rest.slice(element[0].length);
  }
  return rest === '' || programOpening.test(rest) ? undefined : rest;
}

function commandIn(text: string): { readonly name: string; readonly typed: string } | undefined {
  const name = /^\s*<command-/.test(text) ? commandName.exec(text)?.groups?.['name'] : undefined;
  return name === undefined ? undefined : { name, typed: textIn(text, 'command-args') ?? '' };
}

/** Content of the first element of this name, without the space around it; undefined if none is closed. */
function textIn(text: string, tag: string): string | undefined {
  const opening = `<${tag}>`;
  const start = text.indexOf(opening);
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start + opening.length);
  return end < 0 ? undefined : text.slice(start + opening.length, end).trim();
}

/** Characters of a title: what a row of the list of chats shows without being cut off. */
const longestTitle = 60;

/** Derives a title from the first user message: its first line, truncated if long. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= longestTitle ? line : `${headOf(line, longestTitle - 1).trimEnd()}…`;
}

/**
 * Name of a session, from the first message that a person typed.
 *
 * @param otherwise the name if no message was typed
 */
export function sessionName(messages: readonly Message[], otherwise: string): string {
  return titleOfTexts(messages.filter(isTyped).map(({ content }) => textOf(content))) ?? otherwise;
}

/** @returns undefined if a program wrote all of them */
export function titleOfTexts(texts: readonly string[]): string | undefined {
  const title = firstTitle(texts);
  return title === undefined ? undefined : titleOf(title);
}
