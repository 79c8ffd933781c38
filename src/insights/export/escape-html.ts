const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it can stand between tags and in quoted attributes of HTML, where it is text and nothing else. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (sign) => entities[sign] ?? '');
}

/** A text as it stands, in letters of one width. A line feed right behind the tag would be lost; one more keeps it. */
export function preHtml(text: string): string {
  return `<pre>${text.startsWith('\n') ? '\n' : ''}${escapeHtml(text)}</pre>`;
}
