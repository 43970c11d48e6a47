// What the command imports from src/serve: answers requests on standard input.

export {
  OUTPUTS,
  type OutputName,
  ServeError,
  type ServeOptions,
  serveOptions,
  WIDTHS,
} from './options.ts';
export { serve } from './serve.ts';
