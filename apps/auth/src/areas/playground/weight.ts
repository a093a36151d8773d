/** What a text weighs in a page, where some characters are written as entities. */
const entities: Readonly<Record<string, number>> = { '"': 6, '&': 5, '<': 4 };

function weightOf(character: string): number {
  return entities[character] ?? Buffer.byteLength(character);
}

/** The beginning of the text that weighs no more than so many bytes. */
export function cutToWeight(text: string, maxBytes: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += weightOf(character);
    if (bytes > maxBytes) return text.slice(0, length);
    length += character.length;
  }
  return text;
}

/** Whether the text, as JSON, weighs more than so many bytes. */
export function isHeavier(text: string, maxBytes: number): boolean {
  const json = JSON.stringify(text);
  return cutToWeight(json, maxBytes).length < json.length;
}
