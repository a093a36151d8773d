/** The media type of a file; the decoder chose its extension. */
export function typeOf(name: string): 'image/png' | 'image/jpeg' {
  return name.endsWith('.png') ? 'image/png' : 'image/jpeg';
}
