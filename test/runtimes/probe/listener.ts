// The same for runtimes whose scripts listen for events.
import handler from './fetch.ts';

addEventListener('fetch', (event) => {
  const { request, respondWith } = event as unknown as {
    request: Request;
    respondWith(response: Promise<Response>): void;
  };
  respondWith.call(event, handler.fetch(request));
});
