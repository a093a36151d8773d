import unhomoglyph from 'unhomoglyph';

/**
 * The skeleton of UTS 39 §4: two texts with the same skeleton look alike. The package only maps characters (Unicode
 * 13.0); the decompositions around it, and ignoring what cannot be seen, are the rest of the algorithm. It is repeated
 * until nothing changes, because decomposed results can have mappings of their own.
 */
export function toSkeleton(text: string): string {
  const next = unhomoglyph(text.normalize('NFD').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')).normalize('NFD');
  return next === text ? text : toSkeleton(next);
}

/**
 * What names are compared by: their skeleton without regard to case, white space, punctuation, symbols and accents. An i counts
 * as an l, because a capital I does.
 */
export function toNameKey(name: string): string {
  return fold(toSkeleton(name.normalize('NFKC').toLowerCase()));
}

/**
 * The keys of a name that is compared with others: as it is written and in lower case, because capitals can look like other
 * letters than small ones, and each with its digits as they are and as letters.
 */
export function toNameKeys(name: string): readonly string[] {
  const keys = [toNameKey(name), fold(toSkeleton(name.normalize('NFKC')))];
  return [...new Set([...keys, ...keys.map(readDigits)])].filter((key) => key !== '');
}

/** Digits that people read as letters. The skeleton covers 0 and 1. */
const digitLetters: Readonly<Record<string, string>> = { 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

export function readDigits(key: string): string {
  return key.replaceAll(/[34578]/g, (digit) => digitLetters[digit] ?? digit);
}

// Latin small capitals, which the mapping leaves as they are.
const smallCapitals = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ';
const theirLetters = 'abcdefghijklmnopqrstuvwyz';

function fold(skeleton: string): string {
  const letters = skeleton
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[ᴀ-ᴢɢɪɴʀʏʙʜʟꜰꜱꞯ]/g, (small) => {
      const index = smallCapitals.indexOf(small);
      return index === -1 ? small : theirLetters.charAt(index);
    });
  // Lower case can bring back characters that have a mapping, such as the m of a capital M.
  return toSkeleton(letters)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/[iı]/g, 'l');
}
