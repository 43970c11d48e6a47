/**
 * The environment of what tests spawn: the certificates that a machine may name there cost 60 ms at each start of
 * Node, and help no test.
 */
export const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;
