/** The syntax of addresses in variables. */

export const emailAddress = /^[!#-'*+\-./0-9=?A-Z^-~]{1,64}@[A-Za-z0-9.-]{1,253}$/;

export function isWebAddress(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text);
}
