/** Why an input is refused, in the words of the error's own fields. */
export interface Refusal {
  readonly failure: string;
  readonly place: string;
  /** The UTF-16 unit, where the failure lies at one. */
  readonly position?: number;
}

/** Returns what `compute` gives, or its refusal; an error without a reason is none of the documented ones. */
export function outcome<T>(compute: () => T): T | Refusal {
  try {
    return compute();
  } catch (error) {
    const { reason, place, position } = Object(error) as { reason?: unknown; place?: unknown; position?: unknown };
    if (typeof reason !== 'string' || typeof place !== 'string') throw error;
    return { failure: reason, place, ...(typeof position === 'number' ? { position } : {}) };
  }
}

/** A longer canonical form is not stored: its length and its digest tell enough. */
const STORED_LENGTH = 1024;

export function isStored(canonical: string): boolean {
  return canonical.length <= STORED_LENGTH;
}

/** The canonical form as a case has it: whole, or its length. */
export function canonicalFields(canonical: string): { canonical: string } | { canonicalLength: number } {
  return isStored(canonical) ? { canonical } : { canonicalLength: canonical.length };
}
