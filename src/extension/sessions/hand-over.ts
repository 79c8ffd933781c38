import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { ActiveSession, HubPorts, SessionView } from './active-session.ts';
import type { SessionOpener } from './session-opener.ts';

/** Milliseconds that a turn which is to stop is given to write down how far it came. */
const timeToStop = 3_000;
/** Milliseconds in which another window lets go, or is known to be dead. */
const timeToLetGo = 15_000;
/** Milliseconds between looks at whether the other window still has the session. */
const lookEvery = 1_000;
/** Looks in a row without another window before this one goes on: a window that is reloaded comes back. */
const looksBeforeGoingOn = 3;

/** Parts of the hub that handing over needs. */
export interface HandOverHub<View extends SessionView> {
  readonly active: () => Promise<ActiveSession<View>> | undefined;
  show(next: ActiveSession<View>): Promise<unknown>;
  readonly failed: (id: string, error: unknown) => Promise<void>;
}

/** Sees to it that one window writes a session: hands it to a window that asks, and takes it if it is free. */
export class HandOver<View extends SessionView> {
  private readonly ports: HubPorts<View>;
  private readonly opener: SessionOpener<View>;
  private readonly hub: HandOverHub<View>;
  private lettingGo: string | undefined;
  private watched: (() => void) | undefined;

  constructor(ports: HubPorts<View>, opener: SessionOpener<View>, hub: HandOverHub<View>) {
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
        asked: () => void this.letGo(active),
        lost: () => {
          // If all files were deleted, nothing else writes; the next message writes this one again.
          if (existsSync(this.ports.store.pathOf(id))) void this.reopen(id);
        },
      });
    } else if (readOnly.reason === 'other-window') this.watched = this.waitUntilFree(active);
  }

  dispose(): void {
    this.watched?.();
  }

  /** @throws {HeldElsewhereError} if the other window does not let go */
  async takeOver(): Promise<void> {
    const active = await this.hub.active();
    if (active?.readOnly?.reason !== 'other-window') return;
    const lock = this.ports.store.lockOf(active.id);
    await lock.takeOver(timeToLetGo);
    await active.close();
    const opened = await this.opener.open(active.id, lock);
    if (opened !== undefined) await this.hub.show(opened);
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

  /** Goes on with a session once the window that had it is gone. */
  private waitUntilFree({ id, lock }: ActiveSession): () => void {
    let free = 0;
    const look = async () => {
      const isFree = (await lock.holder()) === undefined && !(await lock.isAskedFor());
      free = isFree ? free + 1 : 0;
      if (free >= looksBeforeGoingOn) await this.reopen(id);
    };
    const timer = setInterval(() => {
      look().catch((error: unknown) => this.ports.log.error(String(error)));
    }, lookEvery);
    timer.unref();
    return () => clearInterval(timer);
  }
}

/** Resolves when nothing runs in a session any more, or does not end in time. */
export async function settled(session: AgentSession): Promise<void> {
  const end = performance.now() + timeToStop;
  while (session.isBusy && performance.now() < end) await wait(20);
}
