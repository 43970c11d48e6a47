/** What ends the process with status 2: a wrong option, a request that cannot be answered, a Node that cannot hash. */
export class ServeError extends Error {}
