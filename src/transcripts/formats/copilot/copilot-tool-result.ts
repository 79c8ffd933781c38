import { isRecord } from '../../../language/is-record.ts';
import { pictureMark } from '../../reading/content-parts.ts';

/** Maximum depth of nested elements that are read. */
const deepest = 50;

/**
 * Text of a tool's result in VS Code: text parts, or trees of elements with text leaves. Data, for example of a
 * picture, becomes a mark.
 */
export function toolResultText(result: unknown): string {
  const parts =
    isRecord(result) && Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : [];
  return parts
    .map((part) => (isRecord(part) ? partText(part) : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function partText({ value, data, mimeType }: Readonly<Record<string, unknown>>): string {
  if (typeof value === 'string') return value;
  if (isRecord(value)) return treeText(value['node'] ?? value, 0).replace(/^\n/, '');
  if (data === undefined) return '';
  return typeof mimeType === 'string' && !mimeType.startsWith('image/') ? `[${mimeType}]` : pictureMark;
}

function treeText(node: unknown, depth: number): string {
  if (!isRecord(node) || depth > deepest) return '';
  const { text, children, lineBreakBefore } = node;
  if (typeof text === 'string') return `${lineBreakBefore === true ? '\n' : ''}${text}`;
  if (!Array.isArray(children)) return '';
  return (children as readonly unknown[]).map((child) => treeText(child, depth + 1)).join('');
}
