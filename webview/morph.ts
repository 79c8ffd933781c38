/**
 * Changes the children of an element into others with as few steps as there are differences. What stays the same
 * stays the same node: a selection survives, and nothing flickers while an answer grows.
 *
 * @param source gives its nodes away
 */
export function morphChildren(target: Node, source: Node): void {
  const fresh = [...source.childNodes];
  for (const [index, node] of fresh.entries()) {
    const old = target.childNodes[index];
    if (old === undefined) target.appendChild(node);
    else if (!morphNode(old, node)) target.replaceChild(node, old);
  }
  while (target.childNodes.length > fresh.length) target.lastChild?.remove();
}

/** @returns false where the nodes are of different sorts, so that one has to replace the other */
function morphNode(old: Node, fresh: Node): boolean {
  if (old instanceof Text && fresh instanceof Text) {
    if (fresh.data.startsWith(old.data)) old.appendData(fresh.data.slice(old.data.length));
    else old.data = fresh.data;
    return true;
  }
  if (!(old instanceof Element) || !(fresh instanceof Element) || old.tagName !== fresh.tagName) return false;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morphChildren(old, fresh);
  return true;
}
