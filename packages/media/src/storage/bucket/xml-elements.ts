/** Reads the few elements that we need of the responses of S3, which have text without attributes in them. */

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Returns the texts of all elements with this name, in their order. */
export function findElements(xml: string, name: string): readonly string[] {
  const texts = [];
  const [start, end] = [`<${name}>`, `</${name}>`];
  for (let from = xml.indexOf(start); from !== -1; from = xml.indexOf(start, from)) {
    const to = xml.indexOf(end, from);
    if (to === -1) break;
    texts.push(decode(xml.slice(from + start.length, to)));
    from = to;
  }
  return texts;
}

/** Returns the text of the first element with this name. */
export function findElement(xml: string, name: string): string | undefined {
  return findElements(xml, name)[0];
}

function decode(text: string): string {
  return text.replaceAll(/&(#?\w{1,8});/g, (whole, entity: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,6}))$/.exec(entity) ?? [];
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (entities[entity] ?? whole) : String.fromCodePoint(Number(decimal));
  });
}
