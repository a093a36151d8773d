/**
 * Finds text that a page holds besides its catalogue: a page in a catalogue whose texts stand between marks
 * shows what is not between them.
 */

const [start, end] = ['⟦', '⟧'];
const spoken = ['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'placeholder', 'summary', 'title'];
/** Previews and search engines show these to people. */
const shownMeta = /^(?:description|og:title|og:description|og:image:alt|twitter:title|twitter:description)$/;
/** What is in them is for machines, or typed by people. */
const forMachines = ['code', 'pre', 'textarea', 'script', 'style'];

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
  const reader = new MarkReader();
  const found: string[] = [];
  const machines: string[] = [];
  for (const { groups = {} } of html.matchAll(token)) {
    const { tag, attributes = '', closed, text } = groups;
    if (tag !== undefined) found.push(...readAttributes(tag, attributes));
    if (tag !== undefined && forMachines.includes(tag)) machines.push(tag);
    if (closed !== undefined && closed === machines.at(-1)) machines.pop();
    if (text !== undefined && machines.length === 0) found.push(reader.read(text));
  }
  if (reader.depth !== 0) found.push('a mark has no counterpart');
  return found.map((piece) => piece.trim()).filter((piece) => /\p{L}/u.test(piece));
}

function readAttributes(tag: string, attributes: string): readonly string[] {
  const pairs = [...attributes.matchAll(/\s+([^\s=>"/]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const isShown = pairs.some(([name, value]) => ['name', 'property'].includes(name) && shownMeta.test(value));
  const heard = tag === 'meta' ? (isShown ? ['content'] : []) : spoken;
  return pairs.filter(([name]) => heard.includes(name)).map(([, value]) => new MarkReader().read(value));
}

/** Keeps what is outside the marks, over as many pieces of text as a sentence has. */
class MarkReader {
  depth = 0;

  read(text: string): string {
    let outside = '';
    for (const character of text) {
      if (character === start) this.depth += 1;
      else if (character === end) this.depth -= 1;
      else if (this.depth === 0) outside += character;
    }
    return outside;
  }
}
