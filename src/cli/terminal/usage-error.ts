/** A wrong call: reported with a pointer to the help, exit status 2. */
export class UsageError extends Error {}
