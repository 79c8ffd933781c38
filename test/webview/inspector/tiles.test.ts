import { describe, expect, it } from 'vitest';
import { placed, receiveBudget, type Tile, tilesOf } from '../../../webview/inspector/window/tiles.ts';
import { budget, part } from '../support/tab-fixtures.ts';

const none = { ...budget.schemas, groups: [] };
const keys = (tiles: readonly Tile[]) => tiles.map(({ key, tokens }) => [key, tokens]);

describe('the tiles of a window', () => {
  it('are the parts by kind, the largest kind first, with the tools and what is in no message', () => {
    const parts = [
      part('user', 'hello', 100),
      part('toolResult', 'a.ts', 300),
      part('toolResult', 'b.ts', 200),
    ];
    expect(keys(tilesOf({ parts, schemas: budget.schemas }, 400))).toEqual([
      ['tools ', 6_541],
      ['toolResult a.ts', 300],
      ['toolResult b.ts', 200],
      ['notInFile', 400],
      ['user hello', 100],
    ]);
  });

  it('leave out tools that are on demand or off', () => {
    const groups = budget.schemas.groups.map((group) => ({ ...group, isOn: group.isOnDemand }));
    expect(tilesOf({ parts: [], schemas: { ...none, groups } }, 0)).toEqual([]);
  });

  it('gather the small parts of a kind, with what the host gathered', () => {
    const small = Array.from({ length: 20 }, (_, index) => part('toolResult', `${index}.ts`, 1));
    const rest = part('toolResult', '', 40, { messages: 406, messageIds: [] });
    const parts = [part('toolResult', 'big.ts', 10_000), ...small, rest];
    const tiles = tilesOf({ parts, schemas: none }, 0);
    expect(keys(tiles)).toEqual([
      ['toolResult big.ts', 10_000],
      ['toolResult ', 60],
    ]);
    expect(tiles[1]?.count).toBe(426);
  });

  it('keep a small part that is the only one of its kind', () => {
    const parts = [part('user', 'hi', 1), part('toolResult', 'big.ts', 10_000)];
    expect(keys(tilesOf({ parts, schemas: none }, 0))).toContainEqual(['user hi', 1]);
  });
});

describe('the layout of tiles', () => {
  const sizes = [6_000, 3_000, 1_000];
  const layout = (width: number, height: number) => {
    const parts = sizes.map((tokens) => part('toolResult', `${tokens}.ts`, tokens));
    return placed(tilesOf({ parts: [...parts, part('user', 'hi', 2_000)], schemas: none }, 0), width, height);
  };

  it('gives each tile an area in proportion to its tokens, inside the picture', () => {
    const { tiles } = layout(1_000, 800);
    const areas = new Map(tiles.map(({ tile, width, height }) => [tile.tokens, width * height]));
    expect(areas.get(6_000)! / areas.get(3_000)!).toBeCloseTo(2, 1);
    for (const { left, top, width, height } of tiles) {
      expect(left + width).toBeLessThanOrEqual(1_000);
      expect(top + height).toBeLessThanOrEqual(800);
    }
  });

  it('gives a kind with several tiles a heading, if there is room', () => {
    expect(layout(1_000, 800).headings).toMatchObject([{ kind: 'toolResult', tokens: 10_000 }]);
    expect(layout(80, 60).headings).toEqual([]);
  });

  it('distinguishes the messages of a tile, and those that were replaced', () => {
    const read = part('toolResult', 'a.ts', 300, {
      messageIds: ['new', 'old'],
      sizes: [200, 100],
      stale: { messageIds: ['old'], frees: 60 },
    });
    const [only] = placed(tilesOf({ parts: [read], schemas: none }, 0), 300, 100).tiles;
    expect(only?.slices.map(({ isStale }) => isStale)).toEqual([false, true]);
  });
});

describe('an answer about the window', () => {
  const shown = { sessionId: 's', view: budget };
  const copy = () => structuredClone(budget);

  it('keeps what did not change, so that it is not drawn again', () => {
    const next = receiveBudget(shown, { sessionId: 's', view: { ...copy(), files: [] } });
    expect(next.view.files).toEqual([]);
    expect(next.view.parts).toBe(budget.parts);
  });

  it('keeps every part if everything is the same', () => {
    const next = receiveBudget(shown, { sessionId: 's', view: copy() });
    expect(next).toEqual(shown);
    // A new object, so that the tab knows that its request was answered.
    expect(next).not.toBe(shown);
  });

  it('about another session is taken whole', () => {
    const view = copy();
    expect(receiveBudget(shown, { sessionId: 't', view })).toEqual({ sessionId: 't', view });
  });
});
