import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, vi } from 'vitest';
import { PictureStore } from '../../src/agent/attachments/picture-store.ts';
import { SharedFile } from '../../src/agent/locks/shared-file.ts';
import { removeOldNotes } from '../../src/bridge/hooks/stored-notes.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { strategyOf } from '../../src/compaction/strategies/index.ts';
import { recordsOf } from '../../src/compaction/transcript/transcript.ts';
import { SessionStore } from '../../src/presenters/storage/session-store.ts';
import { createMeter } from '../support/engine.ts';
import { typed } from '../support/messages.ts';
import { ownStrategyIds } from '../support/own-sessions.ts';
import { pngOf } from '../support/pictures.ts';
import { soak } from '../support/soak.ts';
import { HookCalls } from './support/agent-files.ts';
import { fault } from './support/fault.ts';
import { seeded } from './support/seeded.ts';
import { WrittenChat } from './support/written-chat.ts';

const day = 24 * 60 * 60_000;
const today = Date.UTC(2026, 10, 26);
const random = seeded(34);

/** Sets the clock back or ahead, by seconds or by years. */
function jump(): void {
  const far = 20 * 365 * day * random() ** 8;
  vi.setSystemTime(today + (random() < 0.5 ? -far : far));
}

describe('the extension survives a changed clock', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clock-'));
    vi.useFakeTimers({ toFake: ['Date'], now: today });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rm(folder, { recursive: true });
  });

  fault('the clock is changed between and during the turns and compactions of a chat', async (count) => {
    const meter = await createMeter();
    for (let round = 0; round < soak(1, 4); round++) {
      for (const id of ownStrategyIds) {
        count.tried();
        const chat = new WrittenChat(await mkdtemp(join(folder, 'chat-')), meter, () => {
          jump();
          return Date.now();
        });
        for (let turn = 0; turn < 6; turn++) {
          await chat.session.send(`Request ${turn}: look at src/f${turn}.ts`);
        }
        const strategy = strategyOf(id);
        await chat.session.compactNow({ strategy, options: resolveOptions(strategy.options, {}).options });
        await chat.session.send('And the rest?');
        await chat.reopen(true);
        const { entries, view } = chat.session.transcript;
        const found = entries.map((entry) => JSON.stringify(entry));
        if (found.join() !== chat.acknowledged.join()) count.harmed(`${id}: lost or out of order`);
        const [violation] = findViolations(view);
        if (violation !== undefined) count.harmed(`${id}: ${violation.code}`);
        if (recordsOf(chat.session.transcript).some(({ durationMs = 0 }) => durationMs < 0)) {
          count.harmed(`${id}: took less than no time`);
        }
        await chat.close();
      }
    }
  });

  fault('the clock is changed while two windows write a chat', async (count) => {
    const windows = [new SessionStore(folder), new SessionStore(folder)] as const;
    const { id, file } = windows[0].create(Date.now());
    await file.append({ type: 'title', title: 'Both' });
    await file.close();
    const kept: string[] = [];
    const opened = [await windows[0].open(id), await windows[1].open(id)];
    for (let round = 0; round < soak(24, 120); round++) {
      jump();
      count.tried();
      // A clock set ahead makes a lock look abandoned: then one window takes the chat from the other.
      const turn = Math.floor(random() * 2);
      const name = `m${round}`;
      await opened[turn]!.file.append({ type: 'message', message: typed(name, name) }).then(
        () => kept.push(name),
        async () => {
          await opened[turn]!.file.close();
          opened[turn] = await windows[turn]!.open(id);
        },
      );
      if (round % 4 === 3) await opened[turn]!.file.close();
    }
    for (const window of opened) await window!.file.close();
    const entries = (await windows[0].open(id))?.contents.entries ?? [];
    const found = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message.id] : []));
    if (found.filter((name) => kept.includes(name)).join() !== kept.join()) count.harmed(found.join());
    if (kept.length === 0) count.harmed('nobody could write');
    count.note(`${kept.length} acknowledged`);
  });

  fault('a lock that was left behind before the clock was changed', async (count) => {
    const file = new SharedFile(join(folder, 'state.json'));
    for (const at of [0, today - day, today + day, Date.UTC(2099, 0)]) {
      count.tried();
      await mkdir(`${file.path}.lock`);
      await utimes(`${file.path}.lock`, at / 1_000, at / 1_000);
      await file.change(() => String(at)).catch((error: unknown) => count.harmed(String(error)));
      if ((await file.read()) !== String(at)) count.harmed(`nothing is kept after a lock of ${at}`);
    }
  });

  fault('the clock is changed between the calls of hooks', async (count) => {
    const whole = await HookCalls.about(await mkdtemp(join(folder, 'hooks-')));
    const right = await whole.compacted();
    for (let round = 0; round < soak(10, 200); round++) {
      count.tried();
      const session = await HookCalls.about(await mkdtemp(join(folder, 'hooks-')));
      jump();
      await session.call('PreCompact');
      jump();
      const given = await session.goOn();
      if (given !== right) count.harmed(`gave ${given}`);
    }
  });

  fault('notes and pictures from before the clock was changed', async (count) => {
    // The file system's own clock continues.
    vi.useRealTimers();
    const today = Date.now();
    const notes = join(folder, 'notes');
    await mkdir(notes);
    for (let round = 0; round < soak(40, 400); round++) {
      const [written, now] = [0, 0].map(() => today + (random() - 0.5) * 200 * day) as [number, number];
      const name = `${'a'.repeat(32)}.notes.json`;
      await writeFile(join(notes, name), '{}');
      await utimes(join(notes, name), written / 1_000, written / 1_000);
      count.tried();
      await removeOldNotes(notes, now);
      const isThere = (await readdir(notes)).includes(name);
      if (isThere !== now - written <= 30 * day) count.harmed(`${(now - written) / day} days: ${isThere}`);
      if (!isThere) continue;
      // Notes from a later time are also removed a month from now.
      await removeOldNotes(notes, now + 31 * day);
      if ((await readdir(notes)).includes(name)) count.harmed(`${(now - written) / day} days: kept for good`);
    }
    const store = new PictureStore(join(folder, 'pictures'));
    for (let picture = 0; picture < 230; picture++) {
      const kept = await store.keep(pngOf(picture + 1, 1), 'image/png');
      count.tried();
      if ((await store.read(kept)) === undefined) count.harmed(`picture ${picture} is gone at once`);
      const at = (today + (random() - 0.5) * 200 * day) / 1_000;
      await utimes(store.pathOf(kept, 'image/png'), at, at);
    }
  });
});
