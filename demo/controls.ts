import { type State, stateOf } from './state.ts';
import { byId } from './widgets/element.ts';

/** Each control has the name of what it sets in the state. */
const FORM_IDS = [
  'form-options',
  'panel-form',
  'safe-browsing-options',
  'hashed-uri-options',
  'file-form',
  'benchmark-form',
];

function forms(): HTMLFormElement[] {
  return FORM_IDS.map((id) => byId(id, HTMLFormElement));
}

/** Calls back when a control changes; pressing Enter in one sends nothing. */
export function onControlChange(changed: () => void): void {
  for (const form of forms()) {
    form.addEventListener('input', changed);
    form.addEventListener('submit', (event) => event.preventDefault());
  }
}

/** Reads what the controls say, as an address would. */
export function readControls(): Omit<State, 'text' | 'line'> {
  const parameters = new URLSearchParams();
  for (const form of forms()) {
    const data = new FormData(form);
    for (const name of new Set(data.keys())) parameters.set(name, data.getAll(name).join());
  }
  const { text: _, line: __, ...options } = stateOf(parameters);
  return options;
}

/** Puts the state into the controls. */
export function fillControls(state: State): void {
  for (const form of forms()) {
    for (const control of form.elements) {
      const name = control.getAttribute('name') as keyof State | null;
      if (name === null) continue;
      const values = [state[name]].flat().map(String);
      if (control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement) control.value = values.join();
      if (!(control instanceof HTMLInputElement)) continue;
      if (control.type === 'radio' || control.type === 'checkbox') control.checked = values.includes(control.value);
      else control.value = values.join();
    }
  }
}
