import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toChatMessage, type ChatMessage, type ToolSchema } from '../../src/compaction/messages/message.ts';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import { messagesOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { aiderFormat } from '../../src/transcripts/formats/aider-format.ts';
import { chatReplayFormat } from '../../src/transcripts/formats/copilot/chat-replay-format.ts';
import { clineFormat } from '../../src/transcripts/formats/cline/cline-format.ts';
import type { TranscriptFormat } from '../../src/transcripts/reading/transcript-format.ts';
import { specstoryFormat } from '../../src/transcripts/formats/specstory-format.ts';
import { sweAgentFormat } from '../../src/transcripts/formats/swe-agent-format.ts';
import { tauBenchFormat } from '../../src/transcripts/formats/tau-bench-format.ts';
import {
  pathOf,
  readTranscriptText,
  realTranscripts,
  skipReason,
  writtenByPrograms,
} from '../support/transcripts.ts';

/** Folders of the files as their agents wrote them. */
const formats: Readonly<Record<string, TranscriptFormat>> = {
  'aider-history-md': aiderFormat,
  'cline-messages-json': clineFormat,
  'specstory-md': specstoryFormat,
  'swe-agent-traj': sweAgentFormat,
  'tau-bench-json': tauBenchFormat,
  'vscode-chatreplay-json': chatReplayFormat,
};

interface Normalised {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSchema[];
  readonly meta: { readonly injected_message_indices: readonly number[] };
}

const originals = '../original/';
const folders = existsSync(pathOf(originals)) ? readdirSync(pathOf(originals)) : [];
const samples = folders.flatMap((folder) =>
  readdirSync(pathOf(originals + folder)).map((file) => ({
    folder,
    file,
    name: `${originals}${folder}/${file}`,
  })),
);
const ours = samples.flatMap((sample) => {
  const format = formats[sample.folder];
  return format === undefined ? [] : [{ ...sample, format }];
});

/** Arguments are compared as parsed values. */
function comparable(message: ChatMessage): unknown {
  const { tool_calls: calls, ...rest } = message;
  return {
    ...rest,
    calls: calls?.map(({ id, function: { name, arguments: text } }) => ({
      id,
      name,
      arguments: JSON.parse(text) as unknown,
    })),
  };
}

/** Formats whose calls are read out of texts; their counterparts have the texts. */
const calling: ReadonlySet<string> = new Set(['aider-history-md', 'specstory-md']);

/** Everything that is said, line by line, in whatever order and place. */
function linesIn(messages: readonly ChatMessage[]): readonly string[] {
  return (
    messages
      .flatMap(({ role, content, tool_calls: calls = [] }) => [
        ...(typeof content === 'string' ? [content] : []),
        // The calls of an Aider history are made of lines that are in it.
        ...(role === 'assistant' && !calls.some(({ id }) => id.startsWith('aider_'))
          ? calls.flatMap((call) =>
              Object.values(JSON.parse(call.function.arguments) as Record<string, string>),
            )
          : []),
      ])
      .flatMap((text) => text.split('\n'))
      .map((line) => line.replace(/^`|`$/g, '').trim())
      // Nor do the fences of commands.
      .filter((line) => !/^`*(?:bash)?$/.test(line))
      .toSorted()
  );
}

describe('importing real sessions of other agents', () => {
  it.skipIf(ours.length === 0)(`needs real sessions: ${skipReason}`, () => {
    expect(new Set(ours.map(({ folder }) => folder))).toEqual(new Set(Object.keys(formats)));
  });

  it.each(ours.filter(({ folder }) => calling.has(folder)))(
    'keeps all that $file says',
    ({ file, format, name }) => {
      const wanted = JSON.parse(readTranscriptText(file.replace(/\.\w+$/, '.json'))) as Normalised;
      const imported = messagesOf(format.parse(readTranscriptText(name)));
      expect(linesIn(imported.map(toChatMessage))).toEqual(linesIn(wanted.messages));
      const { filesModified, filesRead, commands } = extractLedger(imported);
      expect(filesModified.length + filesRead.length).toBeGreaterThan(0);
      expect(commands.length).toBeGreaterThan(0);
    },
  );

  it.each(ours.filter(({ folder }) => !calling.has(folder)))(
    'reads $file as its normalised counterpart has it',
    ({ file, format, name }) => {
      const wanted = JSON.parse(readTranscriptText(file.replace(/\.\w+$/, '.json'))) as Normalised;
      const imported = format.parse(readTranscriptText(name));
      const messages = messagesOf(transcriptOf(imported.entries));
      expect(messages.map((message) => comparable(toChatMessage(message)))).toEqual(
        wanted.messages.map(comparable),
      );
      expect(imported).toMatchObject({ tools: wanted.tools ?? [], compactions: [], problems: [] });

      expect(writtenByPrograms(messages, wanted.meta.injected_message_indices)).toEqual(
        wanted.meta.injected_message_indices,
      );
    },
  );

  it.each(samples)('recognises $file as what it is and nothing else', ({ folder, name }) => {
    const text = readTranscriptText(name);
    const recognised = Object.keys(formats).filter((candidate) => formats[candidate]?.recognises(text));
    expect(recognised).toEqual(folder in formats ? [folder] : []);
  });

  it.each(samples)('says of $file what another format expected, and on which line', ({ folder, name }) => {
    const text = readTranscriptText(name);
    for (const [other, format] of Object.entries(formats)) {
      if (other !== folder) expect(() => format.parse(text)).toThrow(/^Line \d+: expected /);
    }
  });

  it.each(realTranscripts)('does not take the normalised %s for one of them', (name) => {
    const text = readTranscriptText(name);
    expect(Object.values(formats).filter((format) => format.recognises(text))).toEqual([]);
  });
});
