/**
 * base: what every room stands on: errors, the clock, ids, what others hand over, and how a text falls into words.
 *
 * It refuses anything with a table, and anything that knows what a memory is.
 */

/** Tells the time. Arrives as an argument everywhere, so that a test can move it. */
export type Clock = () => Date;

/** Any value that JSON can carry, which is all that a memory may hold in its free parts. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
