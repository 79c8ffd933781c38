import type { ChatMessage } from '../../src/compaction/messages/message.ts';
import type { PeerInput } from './history.ts';

/** Imports a module out of the folder that the peers are installed in. */
export type ImportPeer = (specifier: string) => Promise<unknown>;

/** One run that is about to start: the messages are in the peer's own shape already. */
export interface PreparedRun {
  /** Compacts. This is what is timed. @returns makes the result a list of chat messages again, which is not timed */
  compact(): Promise<() => readonly ChatMessage[]>;
}

/** An engine that is loaded and set up. Every run gets messages of its own: several peers change them in place. */
export type PreparePeer = (input: PeerInput) => PreparedRun;

/** Another project's way of making a history smaller. */
export interface Peer {
  /** Short name, for the child process that runs it. */
  readonly id: string;
  /** As its row is called. */
  readonly title: string;
  /** Its npm package; the version is in the table of packages. */
  readonly packageName: string;
  /** Its settings in this run, in a few words. */
  readonly settings: string;
  /** Its strengths that the figures do not show; one sentence. */
  readonly strength: string;
  load(importPeer: ImportPeer): Promise<PreparePeer>;
}
