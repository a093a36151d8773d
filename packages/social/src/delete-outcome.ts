/** What became of a record that the account sees: it was its own and is gone, or it is another person's. */
export type DeleteOutcome = 'deleted' | 'not-owner';
