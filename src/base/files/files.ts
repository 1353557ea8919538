/** Folders and files: where the user's are, and how one is made, moved and synced so that power loss takes nothing. What other rooms use of it. */
export { answerMark, isTrustedAnswer, noteAnswer, noteTrustedAnswer, readAnswerMarks } from "./answer-marks.js";
export { withUpperCaseDrive } from "./drive-letter.js";
export { findUserHome, homeFolder, userHome } from "./home-folder.js";
export { makeFolder } from "./make-folder.js";
export { renameOver } from "./rename-over.js";
export { resolveNamedCode, resolveNamedFile } from "./resolve-named-file.js";
export { syncFolder } from "./sync-folder.js";
