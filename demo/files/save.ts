import { element } from '../widgets/element.ts';
import { visible } from '../widgets/text.ts';

/** A method of Chromium so far: https://wicg.github.io/file-system-access/#api-showsavefilepicker */
declare global {
  interface Window {
    showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/** The file that the user wants to write to; undefined where this browser has no such dialog. */
export async function chosenTarget(suggestedName: string): Promise<FileSystemFileHandle | undefined | 'cancelled'> {
  try {
    return await window.showSaveFilePicker?.({ suggestedName });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    throw error;
  }
}

/** A link that hands a Blob to the browser's downloads; `forget` lets go of its bytes. */
export function downloadLink(blob: Blob, name: string): HTMLAnchorElement {
  return element(
    'a',
    { href: URL.createObjectURL(blob), download: name, class: 'download' },
    'Save ',
    ...visible(name),
  );
}

export function forget({ href }: HTMLAnchorElement): void {
  URL.revokeObjectURL(href);
}
