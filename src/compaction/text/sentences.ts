const fence = /^\s*(`{3,}|~{3,})/u;
/** A line that begins something of its own: a list item, a heading, a row of a table. */
const ownLine = /^\s*(?:[-*+•·]\s|\d{1,3}[.)]\s|#{1,6}\s|\|)/u;
const lineMarker = /^\s*(?:(?:[-*+•·]|\d{1,3}[.)]|#{1,6})\s+)+(?:\[[ xX]\]\s+)?/u;
/** The line before goes on: nothing that ends a sentence. */
const goesOn = /[\p{L}\p{N},(–—-]$/u;
const sentenceEnd =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|nr|z\.b|d\.h|bzw|ca|usw))[.!?…]["'”’)\]]{0,3} |[。！？；]/giu;

/**
 * The sentences of prose, each on one line, without markers of lists and headings and without emphasis. Code in fences
 * and lines that quote another text are none.
 */
export function proseSentences(text: string): readonly string[] {
  return paragraphsOf(text).flatMap(sentencesOf);
}

/** Lines of prose; one that was broken within a sentence is one again. */
function paragraphsOf(text: string): readonly string[] {
  const paragraphs: string[] = [];
  let open: string | undefined;
  let mayGoOn = false;
  for (const line of text.split(/\r?\n/u)) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (open === undefined || mark.startsWith(open)))
      open = open === undefined ? mark : undefined;
    const words = line.replace(lineMarker, '').replaceAll('**', '').replace(/\s+/gu, ' ').trim();
    const isProse = mark === undefined && open === undefined && words !== '' && !/^\s*>/u.test(line);
    if (!isProse) {
      mayGoOn = false;
      continue;
    }
    if (mayGoOn && !ownLine.test(line)) paragraphs.push(`${paragraphs.pop()} ${words}`);
    else paragraphs.push(words);
    mayGoOn = goesOn.test(words) && !/^\s*(?:#|\|)/u.test(line);
  }
  return paragraphs;
}

function sentencesOf(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: sign, index } of paragraph.matchAll(sentenceEnd)) {
    sentences.push(paragraph.slice(start, index + sign.length).trim());
    start = index + sign.length;
  }
  return [...sentences, paragraph.slice(start).trim()].filter((sentence) => sentence !== '');
}
