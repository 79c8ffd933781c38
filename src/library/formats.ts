/**
 * Readers of session files of other agents and our own: Claude Code, Codex, Gemini CLI, Cline, OpenAI chat messages
 * and more.
 *
 * ```ts
 * import { Conversation, toolResultHiding } from 'context-budget/engine';
 * import { readTranscript } from 'context-budget/formats';
 *
 * const { format, entries } = readTranscript(await readFile(path, 'utf8'));
 * const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 200_000 }, entries });
 * ```
 *
 * @module
 */
export { formatIds } from '../transcripts/all-formats.ts';
export type { ImportedTranscript } from '../transcripts/import-transcript.ts';
export type { FollowedTranscript } from '../transcripts/followed-transcript.ts';
export {
  ImportError,
  type ForeignCompaction,
  type Imported,
  type OtherConversation,
} from '../transcripts/reading/transcript-format.ts';
export {
  followTranscriptFile as followTranscript,
  readTranscript,
  withForeignCompactions,
} from './foreign-transcripts.ts';
export { sessionLine, sessionText, type SessionStart } from './written-session.ts';
