import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import { toChatMessage, type ChatMessage, type ToolSchema } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import {
  pathOf,
  readTranscriptText,
  realTranscripts,
  skipReason,
  writtenByPrograms,
} from '../support/transcripts.ts';

/** Folders of the agents' original files, and their formats. */
const formatOf: Readonly<Record<string, string>> = {
  'aider-history-md': 'aider',
  'claude-code-jsonl': 'claude-code',
  'cline-messages-json': 'cline',
  'codex-rollout-jsonl': 'codex',
  'litellm-log-json': 'litellm',
  'openhands-output-jsonl': 'openhands',
  'pi-session-jsonl': 'pi',
  'specstory-md': 'specstory',
  'swe-agent-traj': 'swe-agent',
  'tau-bench-json': 'tau-bench',
  'vscode-chatreplay-json': 'chat-replay',
};

/** Formats whose calls are read from texts; their counterparts contain the texts. */
const calling: ReadonlySet<string> = new Set(['aider', 'specstory']);

interface Normalised {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSchema[];
  readonly meta: {
    readonly injected_message_indices: readonly number[];
    readonly compactions?: readonly { readonly before_message_index: number; readonly summary: string }[];
  };
}

const originals = '../original/';
const folders = existsSync(pathOf(originals)) ? readdirSync(pathOf(originals)) : [];
const samples = folders.flatMap((folder) =>
  readdirSync(pathOf(originals + folder)).map((file) => ({
    file,
    format: formatOf[folder] ?? folder,
    name: `${originals}${folder}/${file}`,
  })),
);

/** Arguments are compared as parsed values. */
function comparable({ tool_calls: calls, ...rest }: ChatMessage): unknown {
  return {
    ...rest,
    calls: calls?.map(({ id, function: { name, arguments: text } }) => [
      id,
      name,
      JSON.parse(text) as unknown,
    ]),
  };
}

/** The file of a fork contains its agent's instructions once more, because it copies the original session. */
function withInstructionsOnce({ messages, meta, ...rest }: Normalised): Required<Normalised> {
  const isAgain = messages.map(
    ({ role, content }, index) =>
      role === 'system' && messages.slice(0, index).some((earlier) => earlier.content === content),
  );
  const later = (index: number) => index - isAgain.slice(0, index).filter(Boolean).length;
  return {
    tools: [],
    ...rest,
    messages: messages.filter((_message, index) => isAgain[index] !== true),
    meta: {
      injected_message_indices: meta.injected_message_indices.map(later),
      compactions: (meta.compactions ?? []).map(({ before_message_index: index, summary }) => ({
        before_message_index: later(index),
        summary,
      })),
    },
  };
}

/** All text, line by line, in any order and place. */
function linesIn(messages: readonly ChatMessage[]): readonly string[] {
  return (
    messages
      .flatMap(({ role, content, tool_calls: calls = [] }) => [
        ...(typeof content === 'string' ? [content] : []),
        // The calls of an Aider history are made of lines in it.
        ...(role === 'assistant' && !calls.some(({ id }) => id.startsWith('aider_'))
          ? calls.flatMap((call) =>
              Object.values(JSON.parse(call.function.arguments) as Record<string, string>),
            )
          : []),
      ])
      .flatMap((text) => text.split('\n'))
      .map((line) => line.replace(/^`|`$/g, '').trim())
      // The counterparts of Aider keep the question before typed words, and drop the mark of pytest before a line.
      .map((line) => line.replace(/^(?:\(y\/n[^)]*\)|>)\s+/, ''))
      // Nor do the fences of commands.
      .filter((line) => !/^`*(?:bash)?$/.test(line))
      .toSorted()
  );
}

const counterpartOf = (file: string) =>
  withInstructionsOnce(JSON.parse(readTranscriptText(file.replace(/\.\w+$/, '.json'))) as Normalised);

describe('importing real sessions of other agents', () => {
  it.skipIf(samples.length === 0)(`needs real sessions: ${skipReason}`, () => {
    expect(new Set(samples.map(({ format }) => format))).toEqual(new Set(Object.values(formatOf)));
  });

  it.each(samples)('recognises $file', ({ format, name }) => {
    expect(importTranscript(readTranscriptText(name)).format).toBe(format);
  });

  it.each(realTranscripts)('recognises the normalised form of %s', (name) => {
    expect(importTranscript(readTranscriptText(name)).format).toBe('openai');
  });

  it.each(samples.filter(({ format }) => calling.has(format)))(
    'keeps all content of $file',
    ({ file, format, name }) => {
      const imported = messagesOf(importTranscript(readTranscriptText(name), format));
      expect(linesIn(imported.map(toChatMessage))).toEqual(linesIn(counterpartOf(file).messages));
      const { filesModified, filesRead } = extractLedger(imported);
      expect(filesModified.length + filesRead.length).toBeGreaterThan(0);
      expect(imported.flatMap(({ tool_calls }) => tool_calls ?? [])).not.toEqual([]);
    },
  );

  it.each(samples.filter(({ format }) => !calling.has(format)))(
    'reads $file like its normalised form',
    ({ file, format, name }) => {
      const { messages: wanted, tools, meta } = counterpartOf(file);
      const imported = importTranscript(readTranscriptText(name), format);
      const messages = messagesOf(imported);
      expect(messages.map((message) => comparable(toChatMessage(message)))).toEqual(wanted.map(comparable));
      expect(imported).toMatchObject({ tools, problems: [] });
      expect(writtenByPrograms(messages, meta.injected_message_indices)).toEqual(
        meta.injected_message_indices,
      );
      expect(
        imported.compactions.map(({ beforeMessageIndex, summary }) => ({
          before_message_index: beforeMessageIndex,
          summary,
        })),
      ).toEqual(meta.compactions);
    },
  );

  it.each(samples)(
    'reports the expected form and the line if $file is read in another format',
    ({ format, name }) => {
      const text = readTranscriptText(name);
      for (const other of Object.values(formatOf)) {
        if (other !== format) expect(() => importTranscript(text, other)).toThrow(/^Line \d+: expected /);
      }
    },
  );
});
