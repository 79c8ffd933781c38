/** Node → nodes to which it points. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds the knots of a graph: groups of two or more nodes that all reach each other (Tarjan's strongly connected
 * components). A graph without knots has no circles.
 *
 * @returns the nodes of each knot, sorted
 */
export function knotsOf(graph: Graph): readonly (readonly string[])[] {
  const knots: string[][] = [];
  const order = new Map<string, number>();
  const earliest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    earliest.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) earliest.set(node, Math.min(earliest.get(node)!, visit(next)));
      else if (stack.includes(next)) earliest.set(node, Math.min(earliest.get(node)!, order.get(next)!));
    }
    if (earliest.get(node) === index) {
      const knot = stack.splice(stack.indexOf(node));
      if (knot.length > 1) knots.push(knot.sort());
    }
    return earliest.get(node)!;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return knots.sort((one, other) => one[0]!.localeCompare(other[0]!));
}
