/** Texts that a disk damaged, and setting them aside. What other rooms use of it. */
export { type DamagedMemoryText, findDamagedTexts, hasDamage, quarantineDamage } from "./damaged-memories.js";
