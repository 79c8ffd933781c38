import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allFormats } from '../../../src/transcripts/all-formats.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { noLimits } from '../../../src/transcripts/reading/read-limits.ts';

/**
 * Messages in the user's role from the real sessions next to the project, labelled by hand by two labellers. Messages
 * are identified by hashes, so no text of a session is stored here.
 */
export interface MessageLabels {
  /** Label of each labeller: typed, typed with pasted parts, or written by a program. */
  readonly typed: readonly ('typed' | 'mixed' | 'program')[];
  /** Kinds that each labeller gave to a sentence. */
  readonly sentences: Readonly<Record<string, readonly (readonly string[])[]>>;
}

const path = fileURLToPath(new URL('../../fixtures/said-labels.json', import.meta.url));
const labels = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, MessageLabels>>;

/** Finds the labels of a message by the message's text. */
export function labelsOf(text: string): MessageLabels | undefined {
  return labels[hashOf(text)];
}

/** All sentences that both labellers called a rule or a decision, each with its message. */
export function agreedSentences(): readonly (readonly [message: string, sentence: string])[] {
  return Object.entries(labels).flatMap(([message, { sentences }]) =>
    Object.entries(sentences).flatMap(([sentence, kinds]) =>
      kinds.every((given) => given.some((kind) => settling.has(kind))) ? [[message, sentence] as const] : [],
    ),
  );
}

const settling: ReadonlySet<string> = new Set(['rule', 'decision']);

/** Hashes of the sentences of a text, regardless of case and punctuation. */
export function sentenceHashes(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?…])\s+/u)
    .map((part) =>
      part
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    )
    .filter((part) => part !== '')
    .map(hashOf);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text.trim()).digest('hex').slice(0, 16);
}

const folder = fileURLToPath(new URL('../../../../shared/transcripts/', import.meta.url));

/** The labelled sessions, in their agents' original form if available; empty if the folder is missing. */
export function labelledSessions(): readonly (readonly Message[])[] {
  if (!existsSync(`${folder}index.json`)) return [];
  const rows = JSON.parse(readFileSync(`${folder}index.json`, 'utf8')) as readonly {
    readonly id: string;
    readonly original?: string;
  }[];
  return rows.map(({ id, original = `normalised/${id}.json` }) =>
    messagesOf(
      importTranscript(readFileSync(folder + original, 'utf8'), 'auto', undefined, noLimits, allFormats)
        .transcript,
    ),
  );
}
