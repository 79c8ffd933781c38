import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toChatMessage, type ChatMessage, type ToolSchema } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import {
  pathOf,
  readTranscriptText,
  realTranscripts,
  skipReason,
  writtenByPrograms,
} from '../support/transcripts.ts';

/** Folders of the files as their agents wrote them, and the formats they are in. */
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

/** Formats whose messages are compared here. */
const compared: ReadonlySet<unknown> = new Set(['claude-code', 'codex', 'litellm', 'openhands', 'pi']);

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
const ours = samples.filter(({ format }) => compared.has(format));

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

/** The file of a fork holds its agent's instructions once more, as it copies the session it began with. */
function withInstructionsOnce({ messages, meta, ...rest }: Normalised): Normalised {
  const isAgain = messages.map(
    ({ role, content }, index) =>
      role === 'system' && messages.slice(0, index).some((earlier) => earlier.content === content),
  );
  const later = (index: number) => index - isAgain.slice(0, index).filter(Boolean).length;
  return {
    ...rest,
    messages: messages.filter((_message, index) => isAgain[index] !== true),
    meta: {
      injected_message_indices: meta.injected_message_indices.map(later),
      compactions: (meta.compactions ?? []).map((compaction) => ({
        ...compaction,
        before_message_index: later(compaction.before_message_index),
      })),
    },
  };
}

describe('importing real sessions of other agents', () => {
  it.skipIf(samples.length === 0)(`needs real sessions: ${skipReason}`, () => {
    expect(new Set(samples.map(({ format }) => format))).toEqual(new Set(Object.values(formatOf)));
  });

  it.each(samples)('knows $file by itself', ({ format, name }) => {
    const text = readTranscriptText(name);
    expect(importTranscript(text).entries).toEqual(importTranscript(text, format).entries);
  });

  it.each(realTranscripts)('knows the normalised %s by itself', (name) => {
    const text = readTranscriptText(name);
    expect(importTranscript(text).entries).toEqual(importTranscript(text, 'openai').entries);
  });

  it.each(ours)('reads $file as its normalised counterpart has it', ({ file, format, name }) => {
    const wanted = withInstructionsOnce(
      JSON.parse(readTranscriptText(file.replace(/\.\w+$/, '.json'))) as Normalised,
    );
    const imported = importTranscript(readTranscriptText(name), format);
    const messages = messagesOf(imported);
    expect(messages.map((message) => comparable(toChatMessage(message)))).toEqual(
      wanted.messages.map(comparable),
    );
    expect(imported).toMatchObject({ tools: wanted.tools ?? [], problems: [] });
    expect(writtenByPrograms(messages, wanted.meta.injected_message_indices)).toEqual(
      wanted.meta.injected_message_indices,
    );
    const compactions = imported.compactions.map(({ beforeMessageIndex, summary }) => ({
      before_message_index: beforeMessageIndex,
      summary,
    }));
    const wantedCompactions = (wanted.meta.compactions ?? []).map(
      ({ before_message_index: index, summary }) => ({
        before_message_index: index,
        summary,
      }),
    );
    expect(compactions).toEqual(wantedCompactions);
  });

  it.each(ours)('says of $file what another format expected, and on which line', ({ format, name }) => {
    const text = readTranscriptText(name);
    for (const other of compared) {
      if (other === format) continue;
      expect(() => importTranscript(text, String(other))).toThrow(/^Line \d+: expected /);
    }
  });
});
