/** Where a person restarts the authorization request of an interaction, even if the interaction has ended. */
export function restartPath(uid: string): string {
  return `/interaction/${uid}/restart`;
}
