import { hierarchy, type HierarchyRectangularNode, treemap } from 'd3-hierarchy';
import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import type { BudgetView, WindowPart } from '../../../src/protocol/inspector-budget.ts';
import type { BudgetAnswer } from '../state/page-state.ts';

/** A tile of the treemap. */
export interface Tile {
  readonly key: string;
  readonly kind: Kind | 'notInFile';
  /** File, tool, server or message; empty for gathered parts, and for tiles without a name. */
  readonly name: string;
  readonly tokens: number;
  /** Number of messages, or of tools. */
  readonly count: number;
  /** The part of the window; absent for gathered parts, tools and tokens outside of messages. */
  readonly part?: WindowPart | undefined;
}

/** Parts smaller than this share of the picture are gathered. */
const smallest = 0.006;
/** Height of the heading of a kind, in pixels. */
const headingHeight = 17;
/** Smallest box with a heading, in pixels. */
const headed = { width: 110, height: 62 };
/** Maximum number of messages that a tile distinguishes. */
const mostSlices = 16;

/**
 * The tiles of a window: by kind, the largest first. The small ones of a kind are gathered.
 *
 * @param beyond tokens of the request that are in no message: not in the file, or counted by the provider only
 */
export function tilesOf(
  { parts, schemas }: Pick<BudgetView, 'parts' | 'schemas'>,
  beyond: number,
): readonly Tile[] {
  const all: readonly Tile[] = [
    ...(beyond > 0
      ? [{ key: 'notInFile', kind: 'notInFile', name: '', tokens: beyond, count: 0 } as const]
      : []),
    ...schemas.groups.flatMap(({ server = '', isOn, isOnDemand, tokens, tools }): Tile[] =>
      isOn && !isOnDemand && tokens > 0
        ? [{ key: `tools ${server}`, kind: 'tools', name: server, tokens, count: tools.length }]
        : [],
    ),
    ...parts.map((part): Tile => ({
      key: `${part.kind} ${part.name}`,
      kind: part.kind,
      name: part.name,
      tokens: part.tokens,
      count: part.messages,
      part: part.name === '' ? undefined : part,
    })),
  ];
  const least = smallest * all.reduce((sum, { tokens }) => sum + tokens, 0);
  return (['notInFile', ...kinds] as const)
    .map((kind) =>
      gathered(
        all.filter((tile) => tile.kind === kind),
        least,
      ),
    )
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .flat();
}

function gathered(tiles: readonly Tile[], least: number): readonly Tile[] {
  const isSmall = (tile: Tile) => tile.tokens < least || (tile.name === '' && tile.part === undefined);
  const small = tiles.length < 2 ? [] : tiles.filter(isSmall);
  const [first] = small;
  if (first === undefined) return tiles;
  const count = small.reduce((sum, tile) => sum + tile.count, 0);
  const rest: Tile = { key: `${first.kind} `, kind: first.kind, name: '', tokens: sizeOf(small), count };
  return [...tiles.filter((tile) => !small.includes(tile)), small.length === 1 ? first : rest];
}

function sizeOf(tiles: readonly Tile[]): number {
  return tiles.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** A place in the picture, in pixels from its top left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedTile extends Box {
  readonly tile: Tile;
  /** True if no other tile is of this kind. */
  readonly isOnly: boolean;
  /** Its messages, if there are several, but not too many. */
  readonly slices: readonly (Box & { readonly isStale: boolean })[];
}

interface Layout {
  readonly tiles: readonly PlacedTile[];
  /** Boxes around the tiles of a kind, with a heading. */
  readonly headings: readonly (Box & { readonly kind: Tile['kind']; readonly tokens: number })[];
}

interface Node {
  readonly tile?: Tile;
  readonly tokens?: number;
  readonly isStale?: boolean;
  readonly children?: readonly Node[];
}

/** Places tiles in a picture of a size in pixels: the area of each is its share of the tokens. */
export function placed(tiles: readonly Tile[], width: number, height: number): Layout {
  const ofKinds = new Set(tiles.map(({ kind }) => kind));
  const root = hierarchy<Node>({
    children: [...ofKinds].map((kind) => ({
      children: tiles.filter((tile) => tile.kind === kind).map(tileNode),
    })),
  })
    .sum(({ tokens = 0 }) => tokens)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const { children: groups = [] } = treemap<Node>()
    .size([width, height])
    .round(true)
    .paddingInner(({ depth }) => [3, 2, 1][depth] ?? 0)
    .paddingTop((node) => (hasHeading(node) ? headingHeight : 0))(root);
  return {
    tiles: groups.flatMap(({ children = [] }) =>
      children.flatMap((node): readonly PlacedTile[] => {
        const { tile } = node.data;
        const slices = (node.children ?? []).map((slice) => ({
          ...boxOf(slice),
          isStale: slice.data.isStale === true,
        }));
        return tile === undefined ? [] : [{ tile, ...boxOf(node), isOnly: children.length === 1, slices }];
      }),
    ),
    headings: groups.filter(hasHeading).flatMap((group) => {
      const kind = group.children?.[0]?.data.tile?.kind;
      return kind === undefined ? [] : [{ kind, tokens: group.value ?? 0, ...boxOf(group) }];
    }),
  };
}

function tileNode(tile: Tile): Node {
  const { sizes = [], messageIds = [], stale } = tile.part ?? {};
  if (sizes.length < 2 || sizes.length > mostSlices) return { tile, tokens: tile.tokens };
  return {
    tile,
    children: sizes.map((tokens, index) => ({
      tokens,
      isStale: stale?.messageIds.includes(messageIds[index] ?? '') === true,
    })),
  };
}

function hasHeading({ depth, children = [], ...box }: HierarchyRectangularNode<Node>): boolean {
  const { width, height } = boxOf(box);
  return depth === 1 && children.length > 1 && width >= headed.width && height >= headed.height;
}

function boxOf({ x0, y0, x1, y1 }: Pick<HierarchyRectangularNode<Node>, 'x0' | 'y0' | 'x1' | 'y1'>): Box {
  return { left: x0, top: y0, width: x1 - x0, height: y1 - y0 };
}

/** Takes an answer and returns a new object, which marks the request as answered. Equal parts stay the same objects. */
export function receiveBudget(shown: BudgetAnswer | undefined, next: BudgetAnswer): BudgetAnswer {
  if (shown?.sessionId !== next.sessionId) return { sessionId: next.sessionId, view: next.view };
  const names = Object.keys(next.view) as (keyof BudgetView)[];
  const kept = names.filter((name) => JSON.stringify(next.view[name]) === JSON.stringify(shown.view[name]));
  const view = { ...next.view, ...Object.fromEntries(kept.map((name) => [name, shown.view[name]])) };
  return { sessionId: next.sessionId, view };
}
