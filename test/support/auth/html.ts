/** Parses the HTML that preact renders: attributes are quoted, and `<`, `&` and `"` escaped. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const startTag = /<([a-z][a-z0-9]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*\/?>/g;
const attribute = /\s+([^\s=>"/]+)(?:="([^"]*)")?/g;

/** All elements with the tag, in document order; every element without a tag. */
export function findElements(html: string, tag?: string): readonly Element[] {
  if (parsed.html !== html) parsed = { html, elements: parse(html) };
  return parsed.elements.filter((element) => tag === undefined || element.tag === tag);
}

/** The latest page: tests look for one thing after the other. */
let parsed: { readonly html: string; readonly elements: readonly Element[] } = { html: '', elements: [] };

function parse(html: string): readonly Element[] {
  return [...html.matchAll(startTag)].map(([, tag = '', attributes = '']) => ({
    tag,
    attributes: Object.fromEntries(
      [...attributes.matchAll(attribute)].map(([, key = '', value = '']) => [key, decode(value)]),
    ),
  }));
}

/** The text without the elements. */
export function textOf(html: string): string {
  return decode(html.replaceAll(/<head>.*?<\/head>/gs, ' ').replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
