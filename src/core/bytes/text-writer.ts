const NO_UNITS: Uint16Array = new Uint16Array(0);

/**
 * Collects a text: in JavaScript as a string, which engines append to in place; in WebAssembly as UTF-16 units, since
 * each `+=` there copies all that is before it.
 */
export class TextWriter {
  private text: string = '';
  private units: Uint16Array = NO_UNITS;
  private length: i32 = 0;

  add(text: string): void {
    if (ASC_TARGET === 0) this.text += text;
    else this.addSlice(text, 0, text.length);
  }

  addSlice(text: string, start: i32, end: i32): void {
    if (ASC_TARGET === 0) this.text += text.slice(start, end);
    else for (let at = start; at < end; at++) this.addUnit(text.charCodeAt(at));
  }

  addUnit(unit: i32): void {
    if (ASC_TARGET === 0) {
      this.text += String.fromCharCode(unit);
      return;
    }
    if (this.length === this.units.length) {
      const grown = new Uint16Array(2 * this.length + 64);
      grown.set(this.units);
      this.units = grown;
    }
    this.units[this.length++] = unit;
  }

  addCodePoint(code: i32): void {
    if (code > 0xffff) this.addUnit(0xd7c0 + (code >>> 10));
    this.addUnit(code > 0xffff ? 0xdc00 | (code & 0x3ff) : code);
  }

  toString(): string {
    return ASC_TARGET === 0 ? this.text : String.UTF16.decodeUnsafe(this.units.dataStart, this.length << 1);
  }
}
