import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { LockedError } from '../src/lock.ts';
import { DamagedLogError, Store, type StoreOptions } from '../src/store.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

/** Opens a store, uses it and closes it again. */
async function using<T>(
  path: string,
  use: (store: Store) => Promise<T> | T,
  options: StoreOptions = { write: true },
): Promise<T> {
  const store = await Store.open(path, options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function addNotes(path: string, ...texts: readonly string[]): Promise<void> {
  await using(path, async (store) => {
    for (const text of texts) await store.append({ type: 'added', id: store.freshId(), text });
  });
}

function textsOf(path: string, options?: StoreOptions): Promise<readonly string[]> {
  return using(path, (store) => store.notes().map(({ text }) => text), options);
}

await test('a note is there when the log is opened again', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await addNotes(path, 'varnish', '潮汐表');
    assert.deepEqual(await textsOf(path), ['varnish', '潮汐表']);
  }));

await test('a torn write costs the last note only, and its bytes are kept', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await addNotes(path, 'first', 'second');
    const whole = await readFile(path);
    await truncate(path, whole.length - 10);

    const findings = await using(path, (store) => store.findings);
    assert.equal(findings.length, 1);
    assert.equal(findings[0]?.damage, 'cut short');
    assert.deepEqual(await textsOf(path), ['first']);
    const rescued = await readFile(findings[0].savedTo!, 'utf8');
    assert.match(rescued, /second/);
  }));

await test('notes can be added after a torn write', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await addNotes(path, 'first');
    await appendFile(path, '0badc0de 400 {"type":"added"');
    await addNotes(path, 'second');
    assert.deepEqual(await textsOf(path), ['first', 'second']);
  }));

await test('reading alone never changes a torn log', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await addNotes(path, 'first');
    await appendFile(path, 'torn');
    const before = await readFile(path);
    assert.deepEqual(await textsOf(path, { write: false }), ['first']);
    assert.deepEqual(await readFile(path), before);
    assert.deepEqual(await readdir(folder), ['notes.log']);
  }));

await test('damage in the middle makes the log read-only', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await addNotes(path, 'first', 'second', 'third');
    await writeFile(path, (await readFile(path, 'utf8')).replace('second', 'SECOND'));

    assert.deepEqual(await textsOf(path), ['first', 'third']);
    await assert.rejects(addNotes(path, 'fourth'), DamagedLogError);
  }));

await test('a repair sets the damaged line aside and keeps what follows', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await addNotes(path, 'first', 'second', 'third');
    await writeFile(path, (await readFile(path, 'utf8')).replace('second', 'SECOND'));

    await using(path, () => undefined, { write: true, repair: true });
    await addNotes(path, 'fourth');
    assert.deepEqual(await textsOf(path), ['first', 'third', 'fourth']);
  }));

await test('two writers do not open the same log', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await using(path, () => assert.rejects(Store.open(path, { write: true }), LockedError));
  }));

await test('a lock whose process is gone is taken over', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    await writeFile(`${path}.lock`, '99999999');
    await addNotes(path, 'first');
    assert.deepEqual(await textsOf(path), ['first']);
  }));

await test('tidying leaves out old wordings and long gone notes', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'notes.log');
    const longAgo: StoreOptions = { write: true, now: () => new Date('2026-01-01T12:00:00Z') };
    await using(
      path,
      async (store) => {
        await store.append({ type: 'added', id: 'gone', text: 'gone' });
        await store.append({ type: 'dropped', id: 'gone' });
      },
      longAgo,
    );
    await using(path, async (store) => {
      await store.append({ type: 'added', id: 'kept', text: 'one' });
      for (const text of ['two', 'three']) await store.append({ type: 'edited', id: 'kept', text });
      assert.equal(await store.tidy(), 3);
    });
    const log = await readFile(path, 'utf8');
    assert.doesNotMatch(log, /gone|two/);
    assert.deepEqual(await textsOf(path), ['three']);
  }));

await test('two logs hold the same notes after a merge, whoever merges first', () =>
  inTemporaryFolder(async (folder) => {
    const [ours, theirs] = [join(folder, 'ours.log'), join(folder, 'theirs.log')];
    await addNotes(ours, 'from the boat');
    await addNotes(theirs, 'from the harbour');
    for (const [into, from] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      await using(into, async (store) => store.merge(await Store.open(from, { write: false })));
    }
    assert.deepEqual(await textsOf(ours), await textsOf(theirs));
    assert.equal((await textsOf(ours)).length, 2);
  }));
