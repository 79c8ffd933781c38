import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type AskCondition, HeldElsewhereError, type SessionLock } from '../../agent/locks/session-lock.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { ActiveSession, HubPorts } from './active-session.ts';
import type { SessionOpener } from './session-opener.ts';

/** Milliseconds that a turn which is to stop is given to write down how far it came. */
const timeToStop = 3_000;
/** Milliseconds in which another window lets go, or is known to be dead. */
const timeToLetGo = 15_000;
/** Milliseconds between looks at whether the other window still has the session. */
const lookEvery = 1_000;
/** Looks in a row without another window before this one goes on: a window that is reloaded comes back. */
const looksBeforeGoingOn = 3;
/** Looks between two questions to the other window whether it is still there. */
const looksBetweenQuestions = 30;

/** Parts of the hub that handing over needs. */
interface TransferHub {
  readonly active: () => Promise<ActiveSession> | undefined;
  show(next: ActiveSession): Promise<unknown>;
  readonly failed: (id: string, error: unknown) => Promise<void>;
}

/** Sees to it that one window writes a session: hands it to a window that asks, and takes it if it is free. */
export class WriterTransfer {
  private readonly ports: HubPorts;
  private readonly opener: SessionOpener;
  private readonly hub: TransferHub;
  private lettingGo: string | undefined;
  private watched: (() => void) | undefined;
  /** The latest request for a session whose window may be gone, until nothing is left of it. */
  private claiming: Promise<void> | undefined;

  constructor(ports: HubPorts, opener: SessionOpener, hub: TransferHub) {
    this.ports = ports;
    this.opener = opener;
    this.hub = hub;
  }

  isLettingGo(id: string): boolean {
    return this.lettingGo === id;
  }

  /** Watches over the session that is shown now, and over no other. */
  watch(active: ActiveSession): void {
    this.watched?.();
    const { id, lock, readOnly } = active;
    if (readOnly === undefined) {
      this.watched = lock.listen({
        asked: (condition) => void this.letGoIf(condition, active),
        lost: () => {
          // If all files were deleted, nothing else writes; the next message writes this one again.
          if (existsSync(this.ports.store.pathOf(id))) void this.reopen(id);
        },
      });
    } else if (readOnly.reason === 'other-window') this.watched = this.waitUntilFree(active);
  }

  /** Ends the watch over a session. */
  async dispose(): Promise<void> {
    this.watched?.();
    await this.claiming;
  }

  /** @throws {HeldElsewhereError} if the other window does not let go */
  async takeOver(): Promise<void> {
    const active = await this.hub.active();
    if (active?.readOnly?.reason !== 'other-window') return;
    const lock = this.ports.store.lockOf(active.id);
    // Its own question, whether the other window is still there, would be in the way.
    await this.dispose();
    try {
      await lock.takeOver(timeToLetGo);
    } catch (error) {
      this.watch(active);
      throw error;
    }
    await this.goOn(active, lock);
  }

  /** Shows a session as it is in its file, read-only if another window has it. */
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

  /** Shows a session that was looked at so far, to be carried on. */
  private async goOn(active: ActiveSession, lock: SessionLock): Promise<void> {
    await active.close();
    const opened = await this.opener.open(active.id, lock);
    if (opened !== undefined) await this.hub.show(opened);
  }

  private async letGoIf(condition: AskCondition, active: ActiveSession): Promise<void> {
    if (condition === 'abandoned' && (await this.ports.isAttended())) await active.lock.refuse();
    else await this.letGo(active);
  }

  /** Stops, writes down how far it came, and lets the other window have it. */
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
   * Goes on with a session once the window that had it is gone. A program whose window crashed or lost its connection
   * lives on with the lock, for hours in a remote one, so it is asked now and then.
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
      if (free >= looksBeforeGoingOn && !ended.signal.aborted && (await this.ports.isAttended())) {
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

  /** Takes a session over from a program that no longer has a window. */
  private async claim(active: ActiveSession, signal: AbortSignal): Promise<void> {
    if (!(await this.ports.isAttended()) || signal.aborted) return;
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

/** Resolves when nothing runs in a session any more, or does not end in time. */
export async function settled(session: AgentSession): Promise<void> {
  const end = performance.now() + timeToStop;
  while (session.isBusy && performance.now() < end) await wait(20);
}
