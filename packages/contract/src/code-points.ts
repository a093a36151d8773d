/** Length in Unicode code points: the unit of every length in the specification (decisions, Details 7). */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _codePoint of text) length += 1;
  return length;
}
