// For runtimes that answer requests: the material in, the outcome out.
import { probe } from './probe.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await probe(await request.json()));
  },
};
