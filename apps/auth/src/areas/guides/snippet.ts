interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const before = 60;
const maxLength = 200;

/** The part of `text` around the first of the words, in pieces. Words match in any case, as parts of longer words too. */
export function findSnippet(text: string, words: readonly string[]): readonly Piece[] {
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'giu');
  const first = words.length === 0 ? 0 : Math.max(0, text.search(pattern));
  const start = first < before ? 0 : text.indexOf(' ', first - before) + 1;
  const cut = text.slice(start, start + maxLength);
  const end = start + maxLength >= text.length ? cut.length : cut.lastIndexOf(' ');
  const shown = `${start > 0 ? '… ' : ''}${cut.slice(0, end)}${end < cut.length ? ' …' : ''}`;
  if (words.length === 0) return [{ text: shown, isMatch: false }];
  return shown
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
