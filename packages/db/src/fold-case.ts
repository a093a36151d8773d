/**
 * NFKC and case folding: texts that differ only in case or width fold to the same (decisions D13). Texts are folded here and not in
 * PostgreSQL, which folds by the locale and the Unicode version of each server. It folds by code point, because `toLowerCase` treats
 * a final sigma differently.
 */
export function foldCase(text: string): string {
  const folded = Array.from(text.normalize('NFKC'), (letter) =>
    // Lower case first, because ẞ is ß in lower case, which is SS in upper case.
    letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase(),
  );
  return folded.join('').normalize('NFKC');
}
