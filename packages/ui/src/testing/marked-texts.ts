/**
 * Finds text that a page holds besides its catalogue: a page in a catalogue whose texts stand between marks
 * shows what is not between them.
 */

const [start, end] = ['⟦', '⟧'];
const spoken = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'placeholder',
  'summary',
  'title',
]);
/** Previews and search engines show these to people. */
const shownMeta = /^(?:description|og:title|og:description|og:image:alt|twitter:title|twitter:description)$/;
/** What is in them is for machines, or typed by people. */
const forMachines = new Set(['code', 'pre', 'textarea', 'script', 'style']);

/** The same catalogue with each text between marks; `kept` names entries that are no texts. */
export function markTexts<Texts extends object>(texts: Texts, kept: readonly string[]): Texts {
  const marked = Object.entries(texts).map(([key, value]) => [key, kept.includes(key) ? value : mark(value)]);
  // Object.fromEntries forgets the keys, which are the same.
  return Object.fromEntries(marked) as Texts;
}

function mark(value: unknown): unknown {
  if (typeof value === 'string') return `${start}${value}${end}`;
  if (typeof value === 'function') {
    return (...words: readonly unknown[]): unknown => mark(Reflect.apply(value, undefined, words));
  }
  if (Array.isArray(value)) {
    // Sentences with elements in them have words between those; lists have each text on its own.
    return value.every((one) => typeof one === 'string') ? value.map(mark) : [start, ...value, end];
  }
  return typeof value === 'object' && value !== null ? markTexts(value, []) : value;
}

const token =
  /<(?<tag>[a-z][a-z0-9]*)(?<attributes>(?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*\/?>|<\/(?<closed>[a-z][a-z0-9]*)>|<!--.*?-->|<![^>]*>|(?<text>[^<]+)/gs;

/** Every piece with letters in it that a reader sees or hears and that stands outside the marks. */
export function findUnmarked(html: string): readonly string[] {
  const elements = [...html.matchAll(token)].map(({ groups = {} }) => groups);
  const heard = elements.flatMap(({ tag, attributes = '' }) => readAttributes(tag, attributes));
  const reader = new MarkReader();
  const seen = textsForPeople(elements).map((text) => reader.read(text));
  const lost = reader.depth === 0 ? [] : ['a mark has no counterpart'];
  return [...heard, ...seen, ...lost].map((piece) => piece.trim()).filter((piece) => /\p{L}/u.test(piece));
}

type Token = Readonly<Partial<Record<string, string>>>;

/** Without what stands inside elements for machines, and inside a `span` that says which language it is in. */
function textsForPeople(elements: readonly Token[]): readonly string[] {
  const inside: string[] = [];
  return elements.flatMap(({ tag = '', attributes = '', closed, text }) => {
    const isForeign = tag === 'span' && /\slang="/.test(attributes);
    if (forMachines.has(tag) || isForeign) inside.push(tag);
    if (closed !== undefined && closed === inside.at(-1)) inside.pop();
    return text === undefined || inside.length > 0 ? [] : text;
  });
}

function readAttributes(tag: string | undefined, attributes: string): readonly string[] {
  const pairs = [...attributes.matchAll(/\s+([^\s=>"/]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const isShown = pairs.some(([name, value]) => ['name', 'property'].includes(name) && shownMeta.test(value));
  const heard = pairs.filter(([name]) => (tag === 'meta' ? isShown && name === 'content' : spoken.has(name)));
  return heard.map(([, value]) => new MarkReader().read(value));
}

/** Keeps what is outside the marks, over as many pieces of text as a sentence has. */
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
