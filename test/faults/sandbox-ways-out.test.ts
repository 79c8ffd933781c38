import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fault } from './support/fault.ts';
import { OutsideWorld } from './support/outside-world.ts';
import { waysByDesign, waysOut } from './support/ways-out.ts';

const own = process.getuid?.() ?? 0;
/** Each user with rights that the tests can have, with the id. Root can act as anyone. */
const users: readonly (readonly [string, number])[] =
  own === 0
    ? [
        ['root', 0],
        ['an ordinary user', 65_534],
      ]
    : [['an ordinary user', own]];

describe.skipIf(process.platform !== 'linux').each(users)('ways out of the sandbox as %s', (who, id) => {
  let world: OutsideWorld | string = 'it did not begin';
  beforeAll(async () => {
    world = await OutsideWorld.create(id);
  });
  afterAll(async () => {
    if (typeof world !== 'string') await world[Symbol.asyncDispose]();
  });

  for (const [place, ways] of Object.entries(waysOut)) {
    fault(`sandbox: ${place}, as ${who}`, async (count) => {
      if (typeof world === 'string') {
        count.skip(world);
        return;
      }
      let outside = 0;
      for (const way of ways) {
        const how = await world.attempt(way, 'sandbox');
        count.tried();
        if (how !== undefined) count.harmed(`${way.name}: ${how}`);
        if (way.isHarmful !== true && (await world.attempt(way, 'outside')) !== undefined) outside++;
      }
      count.note(`${outside} of them get there without the sandbox`);
    });
  }

  it.each(waysByDesign)('include $name by design, as the page says', async (way) => {
    if (typeof world === 'string') return;
    const where = way.needsNetwork ? 'sandbox with network' : 'sandbox';
    expect(await world.attempt(way, where)).toBeDefined();
    expect(await readFile('docs/agent.md', 'utf8')).toContain(way.said);
  });
});
