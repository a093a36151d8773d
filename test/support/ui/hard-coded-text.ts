/**
 * Finds text that is hard-coded in a page instead of coming from a catalogue. Render the page with a catalogue whose
 * texts `markTexts` has put between marks; text outside of marks is hard-coded.
 */

const [start, end] = ['⟦', '⟧'];
const textAttributes = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'placeholder',
  'summary',
  'title',
]);
/** Metadata that link previews and search engines show to people. */
const textMeta = /^(?:description|og:title|og:description|og:image:alt|twitter:title|twitter:description)$/;
/** Elements whose content is for machines, or was entered by people. */
const untranslated = new Set(['code', 'pre', 'textarea', 'script', 'style']);

/** Returns the catalogue with each text between marks. `excluded` are the keys of entries that are not texts. */
export function markTexts<Texts extends object>(texts: Texts, excluded: readonly string[]): Texts {
  const marked = Object.entries(texts).map(([key, value]) => [key, excluded.includes(key) ? value : mark(value)]);
  // The type of Object.fromEntries does not preserve the keys, which are the same.
  return Object.fromEntries(marked) as Texts;
}

function mark(value: unknown): unknown {
  if (typeof value === 'string') return `${start}${value}${end}`;
  if (typeof value === 'function') {
    return (...parameters: readonly unknown[]): unknown => mark(Reflect.apply(value, undefined, parameters));
  }
  if (Array.isArray(value)) {
    // An array with elements is one sentence; an array of strings is a list of texts.
    return value.every((item) => typeof item === 'string') ? value.map(mark) : [start, ...value, end];
  }
  return typeof value === 'object' && value !== null ? markTexts(value, []) : value;
}

const token =
  /<(?<tag>[a-z][a-z0-9]*)(?<attributes>(?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*\/?>|<\/(?<closed>[a-z][a-z0-9]*)>|<!--.*?-->|<![^>]*>|(?<text>[^<]+)/gs;

/** Returns each text outside of marks that contains letters and that people see or hear. */
export function findHardCodedText(html: string): readonly string[] {
  const tokens = [...html.matchAll(token)].map(({ groups = {} }) => groups);
  const inAttributes = tokens.flatMap(({ tag, attributes = '' }) => readAttributes(tag, attributes));
  const reader = new MarkReader();
  const inContent = readContent(tokens).map((text) => reader.read(text));
  const errors = reader.depth === 0 ? [] : ['unbalanced marks'];
  return [...inAttributes, ...inContent, ...errors].map((text) => text.trim()).filter((text) => /\p{L}/u.test(text));
}

type Token = Readonly<Partial<Record<string, string>>>;

/** Returns the text outside of untranslated elements and of those that declare another language. */
function readContent(tokens: readonly Token[]): readonly string[] {
  const inside: string[] = [];
  return tokens.flatMap(({ tag = '', attributes = '', closed, text }) => {
    const isForeign = ['article', 'span', 'title'].includes(tag) && /\slang="/.test(attributes);
    if (untranslated.has(tag) || isForeign) inside.push(tag);
    if (closed !== undefined && closed === inside.at(-1)) inside.pop();
    return text === undefined || inside.length > 0 ? [] : text;
  });
}

function readAttributes(tag: string | undefined, attributes: string): readonly string[] {
  const pairs = [...attributes.matchAll(/\s+([^\s=>"/]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const isForeign = pairs.some(([name]) => name === 'lang');
  const isTextMeta =
    !isForeign && pairs.some(([name, value]) => ['name', 'property'].includes(name) && textMeta.test(value));
  const texts = pairs.filter(([name]) =>
    tag === 'meta' ? isTextMeta && name === 'content' : textAttributes.has(name),
  );
  return texts.map(([, value]) => new MarkReader().read(value));
}

/** Returns the characters outside of marks. It keeps its state between texts, because a sentence may contain elements. */
class MarkReader {
  depth = 0;

  read(text: string): string {
    return [...text].filter((character) => this.#isOutside(character)).join('');
  }

  #isOutside(character: string): boolean {
    if (character === start) this.depth += 1;
    if (character !== end) return this.depth === 0;
    this.depth -= 1;
    return false;
  }
}
