/**
 * A field of records whose input declares the types of its columns, as Parquet does. A record is then one line of JSON:
 * an object with a member for each field, in the order of the fields; a field without a value is null.
 *
 * | type              | member                                                                                |
 * | ----------------- | ------------------------------------------------------------------------------------- |
 * | string            | a string; bytes that are not UTF-8 stand in it as they are                            |
 * | boolean           | true or false                                                                         |
 * | int, uint         | a number with all its digits                                                          |
 * | float             | a number that reads as the same value, or the string NaN, Infinity or -Infinity       |
 * | decimal           | a number with `scale` digits after the point                                          |
 * | date              | the number of days since 1970-01-01                                                   |
 * | time, timestamp   | the number of units since midnight, or since 1970-01-01 00:00:00                      |
 * | bytes             | a string in base64                                                                    |
 * | json              | any JSON: the text of a JSON column; a list, an object or a map of a nested one       |
 */
export type RecordField = { readonly name: string } & FieldType;

export type FieldType =
  | { readonly type: 'string' | 'boolean' | 'date' | 'json' }
  | { readonly type: 'int' | 'uint'; readonly bits: 8 | 16 | 32 | 64 }
  | { readonly type: 'float'; readonly bits: 32 | 64 }
  | { readonly type: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly type: 'time' | 'timestamp'; readonly unit: TimeUnit; readonly isUtc: boolean }
  /** `byteLength` is that of each value if all have the same; 16 with `isUuid`. */
  | { readonly type: 'bytes'; readonly byteLength: number | undefined; readonly isUuid: boolean };

export type TimeUnit = 'millisecond' | 'microsecond' | 'nanosecond';
