import { isRecord } from '../../language/is-record.ts';

/** Error that a provider reported, in whatever shape. */
export interface ProviderError {
  readonly status?: number | undefined;
  /** The provider's own code or type of the error. */
  readonly code?: string | undefined;
  /** The provider's own words; empty if it said nothing. */
  readonly message: string;
  /** Tokens, if the provider gives them in fields of their own. */
  readonly limit?: number | undefined;
  readonly actual?: number | undefined;
}

/** Gateways wrap the error of the server behind them; deeper nesting than this is no longer an error message. */
const deepestNesting = 8;

/**
 * Reads the body of an error response, the `error` object of a stream, or a string that holds one of them as JSON.
 *
 * @param status HTTP status; if there was none, a code that looks like one is taken
 */
export function readProviderError(body: unknown, status?: number): ProviderError {
  const read = readNested(body, 0);
  return { ...read, status: status ?? statusIn(read.code) };
}

function readNested(body: unknown, depth: number): ProviderError {
  if (typeof body === 'string') return readText(body, depth);
  if (Array.isArray(body)) return readList(body, depth);
  if (!isRecord(body)) return { message: '' };
  const { error } = body;
  if (error != null && depth < deepestNesting) return readNested(error, depth + 1);
  return readFields(body, depth);
}

/** Reads a string that may be JSON, have JSON after a few words, be a web page, or be a plain message. */
function readText(text: string, depth: number): ProviderError {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start >= 0 && end > start && depth < deepestNesting) {
    const parsed = parseJson(text.slice(start, end + 1));
    if (isRecord(parsed)) {
      const inner = readNested(parsed, depth + 1);
      if (inner.message !== '') return inner;
    }
  }
  const isPage = /^\s*<(?:!doctype|html)/i.test(text);
  return { message: (isPage ? withoutTags(text) : text).trim() };
}

function readFields(fields: Readonly<Record<string, unknown>>, depth: number): ProviderError {
  const said = ['message', 'Message', 'detail', 'msg', 'errors'].map((name) => wordsOf(fields[name], depth));
  // OpenRouter keeps what the server behind it said in `metadata.raw`.
  const { metadata } = fields;
  const behind = isRecord(metadata) ? wordsOf(metadata['raw'], depth) : '';
  const message = [said.find((words) => words !== '') ?? '', behind].filter((words) => words !== '');
  const code = fields['code'] ?? fields['type'];
  return {
    message: message.join(' '),
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    // llama.cpp gives both counts in fields.
    limit: countIn(fields['n_ctx']),
    actual: countIn(fields['n_prompt_tokens']),
  };
}

function wordsOf(value: unknown, depth: number): string {
  if (depth >= deepestNesting) return '';
  return readNested(value, depth + 1).message;
}

/** A list of what was not accepted, or of errors: Gemini and Cloudflare send one for the only one there is. */
function readList(list: readonly unknown[], depth: number): ProviderError {
  const details = readDetails(list);
  return details !== '' || depth >= deepestNesting
    ? { message: details }
    : readNested(list.find(isRecord), depth + 1);
}

/** FastAPI lists rejected fields: `[{ loc: ['body', 'stream_options'], msg }]`. */
function readDetails(details: readonly unknown[]): string {
  return details
    .filter(isRecord)
    .map(({ loc, msg }) => {
      const place = Array.isArray(loc) ? loc.map(String).join('.') : '';
      return [place, typeof msg === 'string' ? msg : ''].filter((part) => part !== '').join(': ');
    })
    .join('; ');
}

/** Returns the text that people read of a page, in one pass. A tag that never ends takes the rest with it. */
function withoutTags(page: string): string {
  // Of the same length: no letter beyond ASCII is in the name of an element.
  const lower = page.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const words: string[] = [];
  let at = 0;
  while (at < page.length) {
    const tag = page.indexOf('<', at);
    if (tag < 0) break;
    words.push(page.slice(at, tag));
    const silent = silentElements.find((name) => lower.startsWith(`<${name}`, tag));
    const elementEnd = silent === undefined ? -1 : lower.indexOf(`</${silent}`, tag);
    const tagEnd = page.indexOf('>', silent === undefined ? tag : Math.max(tag, elementEnd));
    at = tagEnd < 0 || (silent !== undefined && elementEnd < 0) ? page.length : tagEnd + 1;
  }
  words.push(page.slice(at));
  return words.join(' ').replace(/\s+/g, ' ');
}

/** Elements whose text is not for people. */
const silentElements = ['script', 'style'];

function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
