import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type AskCondition, HeldElsewhereError, type SessionLock } from '../../agent/locks/session-lock.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { ActiveSession, HubPorts } from './active-session.ts';
import type { SessionOpener } from './session-opener.ts';

/** Maximum milliseconds in which a turn can stop and save its progress. */
const timeToStop = 3_000;
/** Maximum milliseconds in which another window can release a session before it counts as dead. */
const timeToLetGo = 15_000;
/** Milliseconds between two checks for another window that still has the session. */
const lookEvery = 1_000;
/** Consecutive checks without another window before this window takes the session. A reload takes less time. */
const looksBeforeGoingOn = 3;
/** Number of checks between two requests that ask the other window whether it is still open. */
const looksBetweenQuestions = 30;

interface TransferHub {
  readonly active: () => Promise<ActiveSession> | undefined;
  show(next: ActiveSession): Promise<unknown>;
  readonly failed: (id: string, error: unknown) => Promise<void>;
}

/** Ensures that one window writes a session. Releases it when another window asks, and takes it when it is free. */
export class WriterTransfer {
  private readonly ports: HubPorts;
  private readonly opener: SessionOpener;
  private readonly hub: TransferHub;
  private lettingGo: string | undefined;
  private watched: (() => void) | undefined;
  /** The last attempt to take a session whose window may have gone. */
  private claiming: Promise<void> | undefined;

  constructor(ports: HubPorts, opener: SessionOpener, hub: TransferHub) {
    this.ports = ports;
    this.opener = opener;
    this.hub = hub;
  }

  isLettingGo(id: string): boolean {
    return this.lettingGo === id;
  }

  watch(active: ActiveSession): void {
    this.watched?.();
    const { id, lock, readOnly } = active;
    if (readOnly === undefined) {
      this.watched = lock.listen({
        asked: (condition) => void this.letGoIf(condition, active),
        lost: () => {
          // If all files were deleted, no other window writes. The next message creates the file again.
          if (existsSync(this.ports.store.pathOf(id))) void this.reopen(id);
        },
      });
    } else if (readOnly.reason === 'other-window') this.watched = this.waitUntilFree(active);
  }

  async dispose(): Promise<void> {
    this.watched?.();
    await this.claiming;
  }

  /** @throws {HeldElsewhereError} if the other window keeps the session */
  async takeOver(): Promise<void> {
    const active = await this.hub.active();
    if (active?.readOnly?.reason !== 'other-window') return;
    const lock = this.ports.store.lockOf(active.id);
    // Stops the regular checks of the other window, which would interfere.
    await this.dispose();
    try {
      await lock.takeOver(timeToLetGo);
    } catch (error) {
      this.watch(active);
      throw error;
    }
    await this.goOn(active, lock);
  }

  /** Opens a session from its file again. It is read-only if another window has it. */
  async reopen(id: string): Promise<void> {
    const active = await this.hub.active();
    if (active?.id !== id) return;
    try {
      active.session.stop();
      await active.close();
      const opened = await this.opener.open(id);
      if (opened !== undefined) await this.hub.show(opened);
    } catch (error) {
      await this.hub.failed(id, error);
    }
  }

  /** Makes a read-only session writable by opening it again. */
  private async goOn(active: ActiveSession, lock: SessionLock): Promise<void> {
    await active.close();
    const opened = await this.opener.open(active.id, lock);
    if (opened !== undefined) await this.hub.show(opened);
  }

  private async letGoIf(condition: AskCondition, active: ActiveSession): Promise<void> {
    if (condition === 'abandoned' && (await this.ports.hasWindow())) await active.lock.refuse();
    else await this.letGo(active);
  }

  /** Stops the turn, saves the progress, and releases the session to the other window. */
  private async letGo(active: ActiveSession): Promise<void> {
    if (this.lettingGo !== undefined) return;
    this.lettingGo = active.id;
    try {
      active.session.stop();
      await settled(active.session);
      await active.close();
      await this.untilTaken(active);
      await this.reopen(active.id);
    } finally {
      this.lettingGo = undefined;
    }
  }

  private async untilTaken({ lock }: ActiveSession): Promise<void> {
    const end = performance.now() + timeToStop;
    while ((await lock.holder()) === undefined && performance.now() < end) await wait(50);
  }

  /**
   * Continues a session when its window has gone. A crashed window can keep the lock for hours, so the window is asked.
   */
  private waitUntilFree(active: ActiveSession): () => void {
    const { id, lock } = active;
    const ended = new AbortController();
    let looks = 0;
    let free = 0;
    let isLooking = false;
    const look = async () => {
      if (looks++ % looksBetweenQuestions === 0) await this.claim(active, ended.signal);
      const isFree = (await lock.holder()) === undefined && !(await lock.isAskedFor());
      free = isFree ? free + 1 : 0;
      if (free >= looksBeforeGoingOn && !ended.signal.aborted && (await this.ports.hasWindow())) {
        await this.reopen(id);
      }
    };
    const lookAlone = () => {
      if (isLooking) return;
      isLooking = true;
      look()
        .catch((error: unknown) => this.ports.log.error(String(error)))
        .finally(() => {
          isLooking = false;
        });
    };
    const timer = setInterval(lookAlone, lookEvery);
    timer.unref();
    lookAlone();
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }

  /** Takes a session from a process that has no window any more. */
  private async claim(active: ActiveSession, signal: AbortSignal): Promise<void> {
    if (!(await this.ports.hasWindow()) || signal.aborted) return;
    const lock = this.ports.store.lockOf(active.id);
    const taking = lock.takeOver(timeToLetGo, 'abandoned', signal).then(
      async () => {
        if (!signal.aborted) return true;
        await lock.release();
        return false;
      },
      (error: unknown) => {
        if (error instanceof HeldElsewhereError) return false;
        throw error;
      },
    );
    this.claiming = taking.then(
      () => {},
      () => {},
    );
    if (await taking) await this.goOn(active, lock);
  }
}

/** Resolves when a session is idle, or after `timeToStop`. */
export async function settled(session: AgentSession): Promise<void> {
  const end = performance.now() + timeToStop;
  while (session.isBusy && performance.now() < end) await wait(20);
}
