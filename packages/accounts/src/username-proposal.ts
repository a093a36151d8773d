const minLength = 5;
const maxLength = 32;
const suffixLength = 6;

/**
 * A username made of a person's names: `Ada Lovelace` → `ada_lovelace`. Names that hold no Latin
 * letters give `user_…`. `suffix` (digits) is appended when it is given or when the name is too short.
 */
export function proposeUsername(firstName: string, lastName: string, suffix: string): string {
  const base = [firstName, lastName].map(toAscii).filter(Boolean).join('_') || 'user';
  if (suffix === '' && base.length >= minLength) return base.slice(0, maxLength);
  const padded = suffix.padStart(suffixLength, '0');
  return `${base.slice(0, maxLength - padded.length - 1)}_${padded}`;
}

function toAscii(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '');
}
