const minLength = 5;
const maxLength = 32;
const suffixLength = 6;

/**
 * Builds a username from a person's names: `Ada Lovelace` becomes `ada_lovelace`. Names without Latin letters
 * become `user_…`. Appends `suffix` (digits, padded with zeros) if it is not empty or the name is too short.
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
