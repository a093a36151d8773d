/** The size of text in an HTML page, where some characters become entities. */
const entities: Readonly<Record<string, number>> = { '"': 6, '&': 5, '<': 4 };

function sizeOf(character: string): number {
  return entities[character] ?? Buffer.byteLength(character);
}

/** The longest prefix whose size is at most `maxBytes`. */
export function cutToSize(text: string, maxBytes: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += sizeOf(character);
    if (bytes > maxBytes) return text.slice(0, length);
    length += character.length;
  }
  return text;
}

/** Whether the size of the text as JSON exceeds `maxBytes`. */
export function isLarger(text: string, maxBytes: number): boolean {
  const json = JSON.stringify(text);
  return cutToSize(json, maxBytes).length < json.length;
}
