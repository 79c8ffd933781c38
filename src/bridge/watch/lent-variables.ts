import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makePrivateFolder } from '../../agent/files/private-files.ts';
import { HeldElsewhereError, SessionLock } from '../../agent/locks/session-lock.ts';
import { isRecord } from '../../language/is-record.ts';
import { readNote, writeNote } from '../hooks/note-files.ts';
import { type ReplacedVariables, type Variable, withoutVariables, withVariables } from './variable-list.ts';

/** Milliseconds between two checks whether the process that lends variables has ended. */
const lookEvery = 1_000;
/** Number of checks between two requests that ask this process whether it still has a window. */
const looksBetweenQuestions = 30;
/** Milliseconds in which it can answer. */
const timeToAnswer = 15_000;

/** A setting of the user with a list of variables. */
export interface VariableSetting {
  read(): unknown;
  /** @param value undefined removes the setting */
  write(value: unknown): Promise<void>;
}

/**
 * Variables that are in a setting only for some time. A receipt is stored before the setting is changed, so that the
 * change can also be taken back after a crash. One process at a time may lend variables.
 */
export class LentVariables {
  private readonly receipt: string;
  private readonly setting: VariableSetting;
  private readonly lock: SessionLock;

  /**
   * @param receipt path of the receipt, in a folder that only its owner can read
   * @param hasWindow tells whether this process still has a window. A window that was loaded again can leave its
   * process behind for hours. That process lets another one take the variables back.
   */
  constructor(receipt: string, setting: VariableSetting, hasWindow: () => Promise<boolean>) {
    this.receipt = receipt;
    this.setting = setting;
    this.lock = new SessionLock(receipt);
    const answer = async () => ((await hasWindow()) ? this.lock.refuse() : this.lock.release());
    // After a failure, the other process asks again.
    this.lock.listen({ asked: () => void answer().catch(() => {}), lost: () => {} });
  }

  /**
   * Takes the right to lend variables, and takes back what a crashed process left.
   * @throws {HeldElsewhereError} if another process has lent variables
   * @throws errors of the setting and of the file system
   */
  async hold(): Promise<void> {
    await makePrivateFolder(dirname(this.receipt));
    await this.lock.hold();
    await this.restore();
  }

  /** Adds the variables to the present value. Needs `hold`. @throws errors of the setting and of the file system */
  async lend(variables: readonly Variable[]): Promise<void> {
    const { value, replaced } = withVariables(this.setting.read(), variables);
    await writeNote(this.receipt, { ...replaced });
    await this.setting.write(value);
  }

  /**
   * Takes the variables out and restores those that they replaced. Changes that the user made since then stay. Does
   * nothing if another process has taken them back.
   * @throws errors of the setting; the receipt is then kept
   */
  async takeBack(): Promise<void> {
    if (!this.lock.isHeld) return;
    await this.restore();
    await this.lock.release();
  }

  /**
   * Takes back what another process left, as soon as that process has ended or has no window. Ends if that process
   * takes its variables back.
   * @param signal ends the wait
   * @throws errors of the setting and of the file system
   */
  async takeBackLeft(signal: AbortSignal): Promise<void> {
    for (let looks = 0; existsSync(this.receipt) && !signal.aborted; looks++) {
      try {
        if (looks % looksBetweenQuestions > 0) await this.lock.hold();
        else await this.lock.takeOver(timeToAnswer, 'abandoned', signal);
        await this.takeBack();
      } catch (error) {
        if (!(error instanceof HeldElsewhereError)) throw error;
        await wait(lookEvery, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  private async restore(): Promise<void> {
    const receipt = receiptIn(await readNote(this.receipt));
    if (receipt !== undefined) {
      const now = this.setting.read();
      const restored = withoutVariables(now, receipt);
      if (JSON.stringify(restored) !== JSON.stringify(now)) await this.setting.write(restored);
    }
    await rm(this.receipt, { force: true });
  }
}

function receiptIn(note: Readonly<Record<string, unknown>> | undefined): ReplacedVariables | undefined {
  const { wasSet, added, replaced } = note ?? {};
  if (typeof wasSet !== 'boolean' || !Array.isArray(added) || !Array.isArray(replaced)) return undefined;
  return { wasSet, added: added.filter(isVariable), replaced: replaced.filter(isRecord) };
}

function isVariable(value: unknown): value is Variable {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['value'] === 'string';
}
