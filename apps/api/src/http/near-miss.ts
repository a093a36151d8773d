/** Names of parameters that are probably one of an endpoint, misspelled. */

/** What other services call a parameter. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  id: ['uid'],
  query: ['q', 'search'],
  count: ['limit', 'perpage', 'pagesize', 'maxresults'],
  displayName: ['name', 'firstname', 'lastname', 'fullname'],
  description: ['bio', 'about'],
  message: ['text', 'status', 'content'],
  text: ['message', 'status', 'content'],
};

/** Longer names are no mistakes. */
const maxLength = 40;
/** Shorter names have one wrong letter too easily. */
const minLength = 4;
/** From this length on two letters may be wrong. */
const lengthOfTwo = 8;

/** The name of `known` that `given` is probably meant to be. */
export function findNearMiss(given: string, known: readonly string[]): string | undefined {
  if (given.length > maxLength) return undefined;
  const plain = toPlain(given);
  return (
    known.find((name) => toPlain(name) === plain) ??
    known.find((name) => otherNames[name]?.includes(plain) === true) ??
    known.find((name) => isExtended(given, name) || isExtended(name, given)) ??
    known.find((name) => isMisspelled(plain, toPlain(name)))
  );
}

/** Without case and separators, so that `userId` is `user_id`. */
function toPlain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

function toWords(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

/** `user_id` is an extended `id`, and `media_id` an extended `media`. */
function isExtended(longer: string, shorter: string): boolean {
  const [all, part] = [toWords(longer), toWords(shorter)];
  return part !== '' && (all.endsWith(`_${part}`) || all.startsWith(`${part}_`));
}

function isMisspelled(given: string, known: string): boolean {
  if (given.length < minLength || known.length < minLength) return false;
  return distanceBetween(given, known) <= (known.length < lengthOfTwo ? 1 : 2);
}

/** The number of letters that are missing, added, replaced or swapped with their neighbour. */
function distanceBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_none, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const at = (back: number, left: number) => rows[row - back]?.[column - left] ?? Infinity;
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(1, 0) + 1,
        (current[column - 1] ?? Infinity) + 1,
        at(1, 1) + (one[row - 1] === other[column - 1] ? 0 : 1),
        isSwapped ? at(2, 2) + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows.at(-1)?.at(-1) ?? Infinity;
}
