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

/** The keys of a name as it is written and in lower case: capitals can look like other letters than small ones. */
export function toNameKeys(name: string): readonly string[] {
  return [...new Set([toNameKey(name), fold(toSkeleton(name.normalize('NFKC')))])].filter((key) => key !== '');
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
