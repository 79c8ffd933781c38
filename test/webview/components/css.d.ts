/** Each style sheet is bundled next to the script that imports it. */
declare module '*.css';
