/** The name of a post's row in `Statement.locks`: its counters change with every like, repost and comment. */
export function postRow(id: number): string {
  return `post/${String(id)}`;
}

/** The name of an account's row in `Statement.locks`: its counters change with every post and follow. */
export function accountRow(id: number): string {
  return `account/${String(id)}`;
}
