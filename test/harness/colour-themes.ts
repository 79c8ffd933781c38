/** Themes in which a webview has to look right, each with its class of the workbench. */
export const colourThemes = {
  'Dark Modern': 'vscode-theme-defaults-themes-dark_modern-json',
  'Light Modern': 'vscode-theme-defaults-themes-light_modern-json',
  'Default High Contrast': 'vscode-theme-defaults-themes-hc_black-json',
  'Default High Contrast Light': 'vscode-theme-defaults-themes-hc_light-json',
  'Solarized Light': 'vscode-theme-solarized-light-themes-solarized-light-color-theme-json',
} as const;

export type ColourTheme = keyof typeof colourThemes;
