/** The outcome of deleting a record that the account can see; `not-owner`: it belongs to another account. */
export type DeleteOutcome = 'deleted' | 'not-owner';
